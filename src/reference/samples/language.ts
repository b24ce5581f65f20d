import type { SampleRequest } from './sample-request.ts';

/** A language of the samples. The key is in none of them: they read ANIMAL_STORE_API_KEY. */
export interface Language {
  readonly id: string;
  readonly title: string;
  /** Code that sends the request, prints the status and the body, and fails for an error. */
  readonly request: (request: SampleRequest) => string;
  /** Code that reads every pet, page by page, and prints them. */
  readonly pageLoop: (baseUrl: string) => string;
}

/** The first page of the loops. */
export function firstPage(baseUrl: string): string {
  return `${baseUrl}/pets?limit=100`;
}
