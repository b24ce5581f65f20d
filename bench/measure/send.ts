import type { PlannedRequest } from './workloads.ts';

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends one request the way the load generator does. */
export async function send(url: string, request: PlannedRequest): Promise<Received> {
  const { method = 'GET', path, key, address, body } = request;
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(address !== undefined && { 'X-Forwarded-For': address }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(`${url}${path}`, { method, headers, body: body ?? null });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
