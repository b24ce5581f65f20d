import { expect } from 'bun:test';
import { ERRORS } from '../../src/contract/errors.ts';
import { openapiProblem } from './openapi-response.ts';

const WHOLE_NUMBER = /^\d+$/;
/** Browsers show these to pages of other origins anyway, or pages have no use for them. */
const NOT_EXPOSED =
  /^(cache-control|content-length|content-type|connection|x-content-type-options|access-control-.*)$/;

/** The rules for every response under /v1. */
export async function checkResponse(
  method: string,
  path: string,
  response: Response,
): Promise<void> {
  const { headers, status } = response;
  const limit = headers.get('x-ratelimit-limit');
  const remaining = headers.get('x-ratelimit-remaining');
  expect(limit).toMatch(WHOLE_NUMBER);
  expect(remaining).toMatch(WHOLE_NUMBER);
  expect(headers.get('x-ratelimit-reset')).toMatch(WHOLE_NUMBER);
  expect(Number(remaining)).toBeLessThanOrEqual(Number(limit));
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
  for (const name of headers.keys()) {
    if (!NOT_EXPOSED.test(name)) expect(exposed).toContain(name);
  }
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  if (status === 429 || status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  if (status === 401) expect(headers.get('www-authenticate')).toStartWith('Bearer realm=');
  if (status === 405) expect(headers.get('allow')).toContain('OPTIONS');

  const text = await response.clone().text();
  expect(openapiProblem(method, path, response, text)).toBeUndefined();
  if (status === 204 || method === 'HEAD') {
    expect(text).toBe('');
    return;
  }
  expect(headers.get('content-type')).toBe('application/json');
  if (status < 400) return;
  const error = JSON.parse(text);
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'status']);
  expect(error.status).toBe(status);
  expect(ERRORS[error.code as keyof typeof ERRORS].status).toBe(status);
  expect(error.message.length).toBeGreaterThan(10);
  expect(headers.get('link')).toEndWith(`/docs/errors#${error.code}>; rel="help"`);
}
