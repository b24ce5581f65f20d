/** The response to a request of the page, or the reason why there is none. */
export type Outcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly reason: string;
      readonly tookMs: number;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: string;
      readonly isJson: boolean;
      /** Of an error of this API. */
      readonly errorCode?: string | undefined;
    }
  | { readonly kind: 'failure'; readonly title: string; readonly text: string };

/** The outcome in a few words, such as `201 Created`. */
export function titleOf(outcome: Outcome): string {
  if (outcome.kind === 'failure') return outcome.title;
  return `${outcome.status} ${outcome.reason}`.trim();
}

/** Such as `12 ms` or `1.5 s`. */
export function durationOf(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
