import { firstPage, type Language } from './language.ts';
import { singleQuoted } from './quoting.ts';
import { bodyOf, headersOf, urlOf } from './sample-request.ts';

export const FETCH = {
  id: 'fetch',
  title: 'JavaScript',

  request(request) {
    const body = bodyOf(request);
    const headers = headersOf(request).map(
      ([name, value]) => `    ${singleQuoted(name)}: ${singleQuoted(value)},\n`,
    );
    return `const response = await fetch(${singleQuoted(urlOf(request))}, {
  method: '${request.method}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
${headers.join('')}  },
${body === undefined ? '' : `  body: ${singleQuoted(body)},\n`}});

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);`;
  },

  pageLoop: (baseUrl) => `let url = ${singleQuoted(firstPage(baseUrl))};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}`,
} as const satisfies Language;
