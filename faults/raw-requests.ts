/** Well-formed requests, one byte to each character, from which the attacks are made. */

export const REX = '{"name":"Rex","categoryId":7,"status":"sold"}';

/** A request line and headers, with the empty line that ends them. */
export function head(requestLine: string, ...headers: readonly string[]): string {
  return [requestLine, 'Host: localhost', ...headers, '', ''].join('\r\n');
}

/** A body in chunks. */
export function chunked(...chunks: readonly string[]): string {
  return [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
}

/** A request of each kind. */
export function wellFormedRequests(secret: string): readonly string[] {
  const key = `Authorization: Bearer ${secret}`;
  const json = 'Content-Type: application/json';
  const length = `Content-Length: ${REX.length}`;
  const chunks = 'Transfer-Encoding: chunked';
  return [
    head('GET /v1/pets HTTP/1.1', key),
    head('GET /v1/pets?limit=2&status=sold&after=1 HTTP/1.1', key, 'Accept: application/json'),
    head('GET /v1/pets/1 HTTP/1.1', key, 'User-Agent: faults/1.0', 'Accept-Encoding: gzip, br'),
    head('HEAD /v1/pets/1 HTTP/1.1', key),
    head('GET http://localhost/v1/pets/1 HTTP/1.1', key),
    head('GET /v1/pets/1 HTTP/1.0', key, 'Connection: keep-alive'),
    head('DELETE /v1/pets/1 HTTP/1.1', key),
    head(
      'OPTIONS /v1/pets HTTP/1.1',
      'Origin: https://a.example',
      'Access-Control-Request-Method: POST',
    ),
    head('GET /docs HTTP/1.1', 'If-None-Match: "a", W/"b"', 'Accept-Encoding: gzip;q=0.5, *;q=0'),
    head('GET /openapi.json HTTP/1.1', 'Connection: close'),
    head('GET /v1/pets HTTP/1.1'),
    head('POST /v1/pets HTTP/1.1', key, json, length) + REX,
    head('POST /v1/pets HTTP/1.1', key, json, length, 'Expect: 100-continue') + REX,
    head('POST /v1/pets HTTP/1.1', key, json, length, 'Idempotency-Key: one') + REX,
    head('POST /v1/pets HTTP/1.1', key, json, chunks) + chunked(REX),
    head('POST /v1/pets HTTP/1.1', key, json, chunks) + chunked(REX.slice(0, 9), REX.slice(9)),
    head('POST /v1/nothing HTTP/1.1', key, json, length) + REX,
  ];
}
