import { curlSample } from './curl.ts';
import { fetchSample } from './fetch.ts';
import { goSample } from './go.ts';
import { pythonSample } from './python.ts';
import type { SampleRequest } from './sample-request.ts';
import { typescriptSample } from './typescript.ts';

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
