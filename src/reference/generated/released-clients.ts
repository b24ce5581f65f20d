import client0 from '../released/client-1.1.0.tgz' with { type: 'file' };
import client1 from '../released/client-1.2.0.tgz' with { type: 'file' };

export const RELEASED_CLIENTS = [
  ['client-1.1.0.tgz', client0],
  ['client-1.2.0.tgz', client1],
] as const;
