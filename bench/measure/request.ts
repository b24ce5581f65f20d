import { keyOf, newPetOf } from './fixture.ts';

/** A request that the load generator sends. */
export interface PlannedRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export function get(path: string, key = keyOf(1), address = '10.0.0.1'): PlannedRequest {
  const headers = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': address };
  return { method: 'GET', path, headers };
}

export function create(id: number, others: PlannedRequest['headers'] = {}): PlannedRequest {
  const { path, headers } = get('/v1/pets');
  const type = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(newPetOf(id));
  return { method: 'POST', path, headers: { ...headers, ...type, ...others }, body };
}

export function send(url: string, { path, ...request }: PlannedRequest): Promise<Response> {
  return fetch(`${url}${path}`, request);
}

/** The line that replay.lua reads: the request as it is sent, with tabs for the line breaks. */
export function toLine(url: string, { method, path, headers, body = '' }: PlannedRequest): string {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const all = Object.entries({ Host: new URL(url).host, ...headers, ...length });
  const fields = all.map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${path} HTTP/1.1`, ...fields, '', body].join('\t')}\n`;
}
