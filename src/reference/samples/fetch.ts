import {
  bodyOf,
  headersOf,
  type Language,
  RETRIED_STATUSES,
  type SampleRequest,
  singleQuoted,
  urlOf,
} from './sample-request.ts';

export const FETCH = {
  id: 'fetch',
  title: 'JavaScript',

  request: (request) => `const response = await ${call(request)};

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);`,

  pageLoop: (request) => `let url = ${singleQuoted(urlOf(request))};
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

  retryLoop: (request) => `const send = () => ${call(
    request,
    '  signal: AbortSignal.timeout(30_000),\n',
  )};

for (let attempt = 0; ; attempt++) {
  let failure;
  let wait = 0;
  try {
    const response = await send();
    wait = parseInt(response.headers.get('Retry-After')) || 0;
    const text = await response.text();
    console.log(response.status, text);
    if (response.ok) break;
    failure = new Error(text);
    const retried = [${RETRIED_STATUSES.join(', ')}];
    if (!retried.includes(response.status)) wait = Infinity;
  } catch (error) {
    failure = error; // no complete response
  }
  if (wait > 120 || attempt === 5) throw failure;
  // Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  const seconds = wait + Math.random() * 2 ** attempt;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}`,
} as const satisfies Language;

/** Code that calls `fetch`. Further options are complete lines. */
function call(request: SampleRequest, further = ''): string {
  const body = bodyOf(request);
  const headers = headersOf(request).map(
    ([name, value]) => `    ${singleQuoted(name)}: ${singleQuoted(value)},\n`,
  );
  return `fetch(${singleQuoted(urlOf(request))}, {
  method: '${request.method}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
${headers.join('')}  },
${body === undefined ? '' : `  body: ${singleQuoted(body)},\n`}${further}})`;
}
