import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';
import { NotFoundError, OperatorError } from './error.ts';
import type { Change } from './operator/audit.ts';
import { formatDay } from './time-text.ts';

/** A short, planned outage of a deprecated operation: a rehearsal of its removal. */
export interface Brownout {
  readonly id: number;
  readonly operation: string;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly createdAtMs: number;
  readonly cancelledAtMs: number | null;
}

export interface NewBrownout {
  readonly operation: string;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly nowMs: number;
}

export interface BrownoutReader {
  /** Those that are planned or active. Throws `StoreUnavailableError`. */
  currentBrownouts(nowMs: number): Promise<Brownout[]>;
}

/** Brownouts, for operators. Throws `OperatorError` for one that does not exist or overlaps another. */
export interface BrownoutStore {
  /** In the order of their start. */
  listBrownouts(): Promise<Brownout[]>;
  scheduleBrownout(brownout: NewBrownout): Promise<Brownout>;
  /** Ends one that is in progress. Throws `OperatorError` if it is over or was cancelled. */
  cancelBrownout(id: number, nowMs: number): Promise<Brownout>;
}

/** The brownouts that a service knows, without a query. */
export interface BrownoutSchedule {
  /** Those that are planned or active. Empty almost always, which makes the check cheap. */
  readonly current: readonly Brownout[];
}

type BrownoutState = 'planned' | 'active' | 'over' | 'cancelled';

/** Without urgency, clients and their operators get this much time to learn of a brownout. */
const NOTICE_MS = HOUR_MS;
const SHORTEST_MS = MINUTE_MS;
const LONGEST_MS = DAY_MS;

interface BrownoutWish {
  readonly operation: string;
  readonly startsAtMs: number;
  readonly durationMs: number;
  readonly nowMs: number;
  /** May begin with less than an hour of notice. */
  readonly isUrgent: boolean;
}

/** Throws `OperatorError` unless the rules allow it. `removals` has each deprecated operation. */
export function planBrownout(
  { operation, startsAtMs: wishedMs, durationMs, nowMs, isUrgent }: BrownoutWish,
  removals: ReadonlyMap<string, number>,
): NewBrownout {
  const removedAtMs = removals.get(operation);
  if (removedAtMs === undefined) {
    const names = [...removals.keys()].join(', ');
    throw new OperatorError(
      `Only a deprecated operation can have a brownout: ${names}, not "${operation}".`,
    );
  }
  if (durationMs < SHORTEST_MS || durationMs > LONGEST_MS) {
    throw new OperatorError('A brownout lasts at least a minute (1m) and at most a day (24h).');
  }
  if (wishedMs < nowMs) throw new OperatorError('The brownout would begin in the past.');
  if (!isUrgent && wishedMs < nowMs + NOTICE_MS) {
    throw new OperatorError(
      'A brownout begins at least an hour from now, unless it is urgent (--now).',
    );
  }
  // Responses show its end in whole seconds.
  const startsAtMs = Math.floor(wishedMs / 1000) * 1000;
  const endsAtMs = startsAtMs + durationMs;
  if (endsAtMs > removedAtMs) {
    throw new OperatorError(
      `A brownout of ${operation} must end before its removal on ${formatDay(removedAtMs)}.`,
    );
  }
  return { operation, startsAtMs, endsAtMs, nowMs };
}

/** Throws `OperatorError` if an existing brownout of the operation overlaps the new one. */
export function requireNoOverlap(
  { operation, startsAtMs, endsAtMs }: NewBrownout,
  existing: readonly Brownout[],
): void {
  const other = existing.find(
    (each) =>
      each.operation === operation &&
      each.cancelledAtMs === null &&
      each.startsAtMs < endsAtMs &&
      startsAtMs < each.endsAtMs,
  );
  if (other === undefined) return;
  throw new OperatorError(
    `Brownout ${other.id} of ${operation} overlaps that time. Cancel it, or choose another time.`,
  );
}

/** Throws `OperatorError` unless the brownout is planned or active. */
export function requireCancellable(
  brownout: Brownout | undefined,
  id: number,
  nowMs: number,
): Brownout {
  if (brownout === undefined) throw unknownBrownout(id);
  const state = brownoutState(brownout, nowMs);
  if (state === 'over') throw new OperatorError(`Brownout ${id} is already over.`);
  if (state === 'cancelled') throw new OperatorError(`Brownout ${id} was already cancelled.`);
  return brownout;
}

export function unknownBrownout(id: number | string): NotFoundError {
  return new NotFoundError(`Brownout ${id} does not exist.`);
}

export function brownoutState(
  { startsAtMs, endsAtMs, cancelledAtMs }: Brownout,
  nowMs: number,
): BrownoutState {
  if (cancelledAtMs !== null) return 'cancelled';
  if (nowMs < startsAtMs) return 'planned';
  return nowMs < endsAtMs ? 'active' : 'over';
}

export function brownoutAt(
  brownouts: readonly Brownout[],
  operation: string,
  nowMs: number,
): Brownout | undefined {
  return brownouts.find(
    (each) => each.operation === operation && brownoutState(each, nowMs) === 'active',
  );
}

/** `old` is undefined for a new brownout. */
export function brownoutChange(old: Brownout | undefined, changed: Brownout): Change {
  return {
    action: old === undefined ? 'brownout.schedule' : 'brownout.cancel',
    subject: `brownout ${changed.id}`,
    accountId: null,
    oldValue: old === undefined ? null : auditedValue(old),
    newValue: auditedValue(changed),
  };
}

function auditedValue({ operation, startsAtMs, endsAtMs, cancelledAtMs }: Brownout): string {
  return JSON.stringify({
    operation,
    startsAt: new Date(startsAtMs),
    endsAt: new Date(endsAtMs),
    ...(cancelledAtMs !== null && { cancelledAt: new Date(cancelledAtMs) }),
  });
}
