import type { ErrorCode } from '../domain/error.ts';

/** An answer before the headers that every answer carries. */
export interface Reply {
  readonly status: number;
  /** JSON unless the headers say otherwise; null for an answer without a body. */
  readonly body: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where to go from here, as an entry of the Link header. */
  readonly link?: string | undefined;
  /** What is wrong, when something is. */
  readonly error?: ErrorCode;
}
