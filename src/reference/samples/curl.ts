import { quoted } from '../../formats/shell-text.ts';
import {
  bodyOf,
  headersOf,
  type Language,
  RETRIED_STATUSES,
  type SampleRequest,
  urlOf,
} from './sample-request.ts';

export const CURL = {
  id: 'curl',
  title: 'curl',

  request: (request) => command(request, '-i --fail-with-body'),

  pageLoop: (request) => `url=${quoted(urlOf(request))}
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt -w '\\n' "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || break
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done`,

  retryLoop: (request) => `send() {
  ${command(request, "-isS -m 30 -w '\\n%{http_code}'", '    ')}
}

for attempt in 0 1 2 3 4 5; do
  # 000 without a complete response
  response=$(send) && code=\${response##*[!0-9]} || code=000
  case $code in 000 | ${RETRIED_STATUSES.join(' | ')}) ;; *) break ;; esac
  after=$(printf '%s' "$response" |
    sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9]*\\).*/\\1/p' | head -n 1)
  [ "\${after:=0}" -le 120 ] && [ $attempt -lt 5 ] || break
  # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  random=$(od -An -N2 -tu2 /dev/urandom)
  sleep "$(awk "BEGIN { print $after + $random / 65536 * 2 ^ $attempt }")"
done
printf '%s\\n' "$response"
[ "\${code%??}" = 2 ]`,
} as const satisfies Language;

function command(request: SampleRequest, output: string, indent = '  '): string {
  const body = bodyOf(request);
  const options = [
    output,
    '-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',
    ...headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  // The URL comes first, because the line has the most room for a long URL there.
  return [`curl -X ${request.method} ${quoted(urlOf(request))}`, ...options].join(` \\\n${indent}`);
}
