import type { SampleRequest } from './sample-request.ts';

/** A language of the samples. The key is in none of them: they read ANIMAL_STORE_API_KEY. */
export interface Language {
  readonly id: string;
  readonly title: string;
  /** Code that sends the request, prints the status and the body, and fails for an error. */
  readonly request: (request: SampleRequest) => string;
  /** Code that reads every pet, page by page, and prints them. The request is for the first page. */
  readonly pageLoop: (request: SampleRequest) => string;
  /**
   * As `request`, but sends it again after a retried status, and without a complete response: 6 times
   * in all, unless Retry-After is more than 2 minutes. The request must be safe to repeat.
   */
  readonly retryLoop: (request: SampleRequest) => string;
}

/** The same request may succeed later. The client retries these too. */
export const RETRIED_STATUSES: readonly number[] = [408, 429, 502, 503, 504];
