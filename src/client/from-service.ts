import { type Answer, bodyOf, errorBodyOf } from './answer.ts';
import { holdSecondsOf, standingOf } from './limit-headers.ts';
import { petFromJson } from './pet-json.ts';

/**
 * Whether the service itself has answered. What something in front of it says in its place may hide
 * a refusal: a gateway's page, a 503 that does not say for how long, a login in place of animals.
 */
export function isFromService(answer: Answer): boolean {
  const { status } = answer;
  if (status === 502 || status === 504) return false;
  if (status === 429 || status === 503) return holdSecondsOf(answer) !== undefined;
  if (standingOf(answer) !== undefined || errorBodyOf(answer) !== undefined) return true;
  const body = bodyOf(answer) ?? null;
  return isSuccess(answer) && (Array.isArray(body) || petFromJson(body) !== undefined);
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}
