import { goSample } from './go.ts';
import { fetchSample, typescriptSample } from './javascript.ts';
import { pythonSample } from './python.ts';
import { headersOf, type SampleRequest, urlOf } from './sample-request.ts';

export const LANGUAGES = [
  { id: 'curl', title: 'curl' },
  { id: 'typescript', title: 'TypeScript' },
  { id: 'fetch', title: 'JavaScript' },
  { id: 'python', title: 'Python' },
  { id: 'go', title: 'Go' },
] as const;

export type LanguageId = (typeof LANGUAGES)[number]['id'];

const SAMPLES: Readonly<Record<LanguageId, (request: SampleRequest) => string>> = {
  curl: curlSample,
  typescript: typescriptSample,
  fetch: fetchSample,
  python: pythonSample,
  go: goSample,
};

/**
 * Code that sends the request, prints the status and the body, and fails for an error. The key
 * comes from the environment variable ANIMAL_STORE_API_KEY, so that it is in no sample.
 */
export function sampleOf(language: LanguageId, request: SampleRequest): string {
  // `fetch` replaces lone surrogates in a body, and so does every sample.
  return SAMPLES[language]({ ...request, body: request.body?.toWellFormed() }).trimEnd();
}

function curlSample(request: SampleRequest): string {
  const { method, body } = request;
  const isDefault = method === (body === undefined ? 'GET' : 'POST');
  const options = [
    `${isDefault ? '' : `-X ${method} `}-i --fail-with-body`,
    '-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',
    ...headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  // The URL comes first, so that a long one fits the panel.
  return [`curl ${quoted(urlOf(request))}`, ...options].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
