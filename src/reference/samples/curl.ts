import { firstPage, type Language } from './language.ts';
import { bodyOf, headersOf, urlOf } from './sample-request.ts';

export const CURL = {
  id: 'curl',
  title: 'curl',

  request(request) {
    const body = bodyOf(request);
    const options = [
      '-i --fail-with-body',
      '-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',
      ...headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
      ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
    ];
    // The URL comes first, so that a long one fits the panel.
    return [`curl -X ${request.method} ${quoted(urlOf(request))}`, ...options].join(' \\\n  ');
  },

  pageLoop: (baseUrl) => `url='${firstPage(baseUrl)}'
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || exit 1
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done`,
} as const satisfies Language;

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
