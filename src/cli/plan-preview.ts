import type { OperatorStore } from '../domain/backend.ts';
import { startOfDay } from '../domain/durations.ts';
import { previewJson } from '../domain/operator/operator-json.ts';
import { previewAccount } from '../domain/operator/plan-preview.ts';
import type { Limits } from '../domain/plan.ts';
import { formatTime, parseSince } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { formatCount } from './printable.ts';

export const PREVIEW_SINCE = '30d';

type AccountPreview = Awaited<ReturnType<typeof previewForAccount>>;

/** Compares what one account sent in the last days with other limits. */
export async function previewForAccount(
  { history }: OperatorStore,
  accountId: number,
  limits: Limits,
) {
  const sinceMs = startOfPreview(PREVIEW_SINCE);
  const preview = await previewAccount(history, accountId, limits, sinceMs);
  return { since: formatTime(sinceMs), ...previewJson(preview) };
}

/** The start of that day: a preview of days needs whole ones. Throws `OperatorError`. */
export function startOfPreview(since: string): number {
  return startOfDay(parseSince(since, platform.now()));
}

export function describePreview(name: string, preview: AccountPreview): string {
  const { since, requests, refused, refusedInFact, worst } = preview;
  if (requests === 0) return `Account "${name}" has sent no requests since ${since}.`;
  const sent = `Of ${formatCount(requests)} ${requests === 1 ? 'request' : 'requests'} that account "${name}" has sent since ${since}`;
  const inFact = `${formatCount(refusedInFact)} were refused`;
  const now = `these limits would have refused at least ${formatCount(refused)}`;
  return `${sent}, ${inFact} and ${now}${worst === null ? '' : ` (at worst ${describeWorst(worst)})`}.`;
}

/** "75 in one minute on 2026-11-12" */
export function describeWorst(worst: AccountPreview['worst']): string {
  if (worst === null) return '';
  const { window, day, requests } = worst;
  return `${formatCount(requests)} ${window === 'minute' ? 'in one minute ' : ''}on ${day}`;
}
