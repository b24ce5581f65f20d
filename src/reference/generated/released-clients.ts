import client0 from '../released/client-1.1.0.tgz' with { type: 'file' };

export const RELEASED_CLIENTS = [
  ['client-1.1.0.tgz', client0],
] as const;
