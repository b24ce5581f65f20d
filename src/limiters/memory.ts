import QuickLRU from 'quick-lru';
import {
  endOfBan,
  isPenaltyOver,
  type Penalty,
  penaltyAfterRefusal,
  refusalByBan,
} from '#domain/ban.ts';
import type { CountsJournal, CountsReader } from '#domain/counts-journal.ts';
import { startOfDay } from '#domain/durations.ts';
import {
  areCountsOver,
  type Caller,
  type Counts,
  countsAt,
  type Decision,
  type Limiter,
  lastKnownQuota,
  MIN_ADDRESSES,
  type Quota,
  quotaOf,
  takeRequest,
} from '#domain/rate-limit.ts';

/** The number of subjects, and of keys, that are saved at once. */
const SLICE = 1_000;
/** The time from a change to its save. If the process is killed, at most the counts of this time are lost. */
const PAUSE_MS = 50;
/** A save may have failed because of a lock. Trying again at once would make creations wait behind it. */
const PAUSE_AFTER_FAILURE_MS = 500;

interface MemoryLimiterOptions {
  readonly now: () => number;
  readonly journal: CountsJournal;
  /** Called when a save fails. The next save tries again. */
  readonly onSaveFailed: (error: unknown) => void;
}

/**
 * Counts in this process. Accounts, strikes and bans are saved soon after they change, up to 20 times a
 * second. Addresses are saved only at a stop, because a stranger without a key must not be able to keep
 * the disk busy.
 */
export class MemoryLimiter implements Limiter, CountsReader, AsyncDisposable {
  /** An account is removed by the first save on the day after its last request. */
  readonly #accounts = new Map<string, Counts>();
  readonly #addresses = new QuickLRU<string, Counts>({ maxSize: MIN_ADDRESSES });
  readonly #penalties;
  #changedCounts = new Map<string, Counts>();
  /** The penalty of a key is undefined if it is over, so that the journal deletes it. */
  #changedPenalties = new Map<number, Penalty | undefined>();
  #saving = Promise.resolve(true);
  /** The start of the day on which ended counts were last deleted, here and in the journal. */
  #sweptDaySeconds = 0;
  /** Set from the first change until its save has ended. */
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(private readonly options: MemoryLimiterOptions) {
    this.#penalties = new Map(options.journal.loadPenalties());
  }

  take(caller: Caller, nowMs: number): Decision {
    const { subject, id: keyId, unbannedAtMs = 0 } = caller;
    const bySubject = keyId === undefined ? this.#addresses : this.#accounts;
    const known = bySubject.get(subject);
    const counts = countsAt(known ?? this.options.journal.findCounts(subject), subject, nowMs);
    if (counts !== known) bySubject.set(subject, counts);
    const penalty = keyId === undefined ? undefined : this.#penalties.get(keyId);
    const banEnd = endOfBan(penalty, unbannedAtMs, nowMs);
    if (banEnd !== undefined) {
      return refusalByBan(banEnd, quotaOf(counts, caller, nowMs), nowMs);
    }
    const decision = takeRequest(counts, caller, nowMs);
    if (keyId === undefined) return decision;
    if (decision.refusedBy === undefined) {
      this.#changedCounts.set(subject, counts);
      this.#saveSoon();
      return decision;
    }
    const next = penaltyAfterRefusal(penalty, decision, unbannedAtMs, nowMs);
    if (next !== penalty) {
      this.#penalties.set(keyId, next);
      this.#changedPenalties.set(keyId, next);
      this.#saveSoon();
    }
    const newBanEnd = endOfBan(next, unbannedAtMs, nowMs);
    if (newBanEnd === undefined) return decision;
    return { ...refusalByBan(newBanEnd, decision, nowMs), banBegan: true };
  }

  peek(caller: Caller, nowMs: number): Quota {
    const { subject, id: keyId } = caller;
    const known = keyId === undefined ? this.#addresses.peek(subject) : this.#accounts.get(subject);
    return lastKnownQuota(known, caller, nowMs);
  }

  async getCounts(subject: string): Promise<Counts | undefined> {
    return this.#accounts.get(subject) ?? this.options.journal.findCounts(subject);
  }

  async getPenalty(_: string, keyId: number): Promise<Penalty | undefined> {
    return this.#penalties.get(keyId);
  }

  /** Resolves to true once everything that was counted before the call is saved, to false if that failed. */
  save(): Promise<boolean> {
    this.#saving = this.#saving.then(() => this.#saveChanges());
    return this.#saving;
  }

  #hasChanged(): boolean {
    return this.#changedCounts.size > 0 || this.#changedPenalties.size > 0;
  }

  #saveSoon(pauseMs = PAUSE_MS): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(async () => {
      const isSaved = await this.save();
      this.#timer = undefined;
      if (this.#hasChanged()) this.#saveSoon(isSaved ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS);
    }, pauseMs);
  }

  async #saveChanges(): Promise<boolean> {
    if (!this.#hasChanged()) return true;
    const nowMs = this.options.now();
    const todaySeconds = startOfDay(nowMs) / 1000;
    const isNewDay = this.#sweptDaySeconds !== todaySeconds;
    if (isNewDay) this.#sweep(nowMs);
    const counts = [...this.#changedCounts];
    const penalties = [...this.#changedPenalties];
    this.#changedCounts = new Map();
    this.#changedPenalties = new Map();
    try {
      // Counts are saved in slices, because creations wait for the writer thread meanwhile, and all requests
      // wait while a slice is serialized.
      for (let start = 0; start < Math.max(counts.length, penalties.length); start += SLICE) {
        await this.options.journal.save({
          counts: counts.slice(start, start + SLICE),
          penalties: penalties.slice(start, start + SLICE),
          endedBySeconds: isNewDay && start === 0 ? todaySeconds : undefined,
        });
      }
      this.#sweptDaySeconds = todaySeconds;
      return true;
    } catch (error) {
      this.#changedCounts = new Map([...counts, ...this.#changedCounts]);
      this.#changedPenalties = new Map([...penalties, ...this.#changedPenalties]);
      this.options.onSaveFailed(error);
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const [subject, counts] of this.#addresses) this.#changedCounts.set(subject, counts);
    for (const [keyId, penalty] of this.#penalties) this.#changedPenalties.set(keyId, penalty);
    await this.save();
  }

  /** Removes what no later request can need. Runs with the first save of each day. */
  #sweep(nowMs: number): void {
    for (const [subject, counts] of this.#accounts) {
      if (areCountsOver(counts, nowMs)) this.#accounts.delete(subject);
    }
    for (const [keyId, penalty] of this.#penalties) {
      if (!isPenaltyOver(penalty, nowMs)) continue;
      this.#penalties.delete(keyId);
      this.#changedPenalties.set(keyId, undefined);
    }
  }
}
