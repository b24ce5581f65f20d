import type { OperatorStore } from '../domain/backend.ts';
import { previewJson } from '../domain/operator/operator-json.ts';
import { previewAccount, previewStart } from '../domain/operator/plan-preview.ts';
import type { Limits } from '../domain/plan.ts';
import { formatTime, parseSince } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { formatCount } from './printable.ts';

export const PREVIEW_SINCE = '30d';

type AccountPreview = Awaited<ReturnType<typeof previewForAccount>>;

/** Sends what one account sent in the last days through other limits. */
export async function previewForAccount(
  { history }: OperatorStore,
  accountId: number,
  limits: Limits,
) {
  const sinceMs = startOfPreview(PREVIEW_SINCE);
  const preview = await previewAccount(history, accountId, limits, sinceMs);
  return { since: formatTime(sinceMs), ...previewJson(preview) };
}

/** Throws `OperatorError` for a time that is not allowed. */
export function startOfPreview(since: string): number {
  const nowMs = platform.now();
  return previewStart(parseSince(since, nowMs), nowMs);
}

export function describePreview(name: string, preview: AccountPreview): string {
  const { since, requests, refused, refusedInFact, worst } = preview;
  if (requests === 0) return `Account "${name}" has sent no requests since ${since}.`;
  const sent = `Of ${formatCount(requests)} ${requests === 1 ? 'request' : 'requests'} that account "${name}" has sent since ${since}`;
  const inFact = `${formatCount(refusedInFact)} were refused`;
  const now = `these limits would have refused ${formatCount(refused)}`;
  return `${sent}, ${inFact} and ${now}${worst === null ? '' : ` (at worst ${describeWorst(worst)})`}.`;
}

/** "75 in the minute from 2026-11-12T10:03:37Z" */
export function describeWorst(worst: AccountPreview['worst']): string {
  if (worst === null) return '';
  const { window, startsAt, requests } = worst;
  const when =
    window === 'minute' ? `in the minute from ${startsAt}` : `on ${startsAt.slice(0, 10)}`;
  return `${formatCount(requests)} ${when}`;
}
