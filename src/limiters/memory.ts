import QuickLRU from 'quick-lru';
import {
  isBanned,
  isPenaltyOver,
  type Penalty,
  penaltyAfterRefusal,
  penaltyAfterUnban,
  refusalByBan,
} from '../domain/ban.ts';
import { DAY_SECONDS } from '../domain/durations.ts';
import {
  type Caller,
  type Decision,
  isUsageOver,
  type Limiter,
  MIN_ADDRESSES,
  quotaOf,
  takeRequest,
  type Usage,
  usageAt,
} from '../domain/rate-limit.ts';
import type { UsageJournal, UsageReader } from '../domain/usage-journal.ts';

/** Between two saves. A kill loses at most the counts of this time. */
const PAUSE_MS = 50;
/** A save that fails has perhaps waited for a lock, and creations behind it. */
const PAUSE_AFTER_FAILURE_MS = 500;

interface MemoryLimiterOptions {
  readonly now: () => number;
  readonly journal: UsageJournal;
  /** Called when a save fails. The next save tries again. */
  readonly onSaveFailed: (error: unknown) => void;
}

/** The usage of accounts, or that of addresses. */
type Usages = Map<string, Usage> | QuickLRU<string, Usage>;

/**
 * Counts in this process. Accounts, strikes and bans are saved as soon as they change, up to 20 times
 * a second, and everything on stop. Addresses are not saved in between: strangers must not be able to
 * keep the disk busy.
 */
export class MemoryLimiter implements Limiter, UsageReader, AsyncDisposable {
  readonly #options: MemoryLimiterOptions;
  /** An account is kept until the day after its last request is over. */
  readonly #accounts = new Map<string, Usage>();
  readonly #addresses = new QuickLRU<string, Usage>({ maxSize: MIN_ADDRESSES });
  readonly #penalties: Map<number, Penalty>;
  #changedUsages = new Map<string, Usage>();
  #changedKeys = new Set<number>();
  #saving = Promise.resolve(true);
  /** The day on which ended usage was last deleted, here and in the journal. */
  #sweptDay = 0;
  /** From the first change until the pause after its save. */
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: MemoryLimiterOptions) {
    this.#options = options;
    this.#penalties = new Map(options.journal.loadPenalties());
  }

  take(caller: Caller, nowMs: number): Decision {
    const { subject, id: keyId, unbannedAtMs = 0 } = caller;
    const usages = keyId === undefined ? this.#addresses : this.#accounts;
    const usage = this.#usageNow(usages, subject, nowMs);
    const saved = keyId === undefined ? undefined : this.#penalties.get(keyId);
    const penalty = penaltyAfterUnban(saved, unbannedAtMs);

    if (penalty !== undefined && isBanned(penalty, nowMs)) {
      return refusalByBan(penalty, quotaOf(usage, caller), nowMs);
    }
    const decision = takeRequest(usage, caller, nowMs);
    if (keyId === undefined) return decision;
    if (decision.refusedBy === undefined) {
      this.#changedUsages.set(subject, usage);
      this.#saveSoon();
      return decision;
    }
    const next = penaltyAfterRefusal(penalty, decision, unbannedAtMs, nowMs);
    if (next !== penalty) this.#setPenalty(keyId, next);
    if (!isBanned(next, nowMs)) return decision;
    return { ...refusalByBan(next, decision, nowMs), banBegan: true };
  }

  async getUsage(subject: string): Promise<Usage | undefined> {
    return this.#accounts.get(subject) ?? this.#options.journal.findUsage(subject);
  }

  async getPenalty(_: string, keyId: number): Promise<Penalty | undefined> {
    return this.#penalties.get(keyId);
  }

  /** Resolves once everything counted before the call is saved. False if it could not be. */
  save(): Promise<boolean> {
    this.#saving = this.#saving.then(() => this.#saveChanges());
    return this.#saving;
  }

  #hasChanged(): boolean {
    return this.#changedUsages.size > 0 || this.#changedKeys.size > 0;
  }

  /** Saves at once, unless a save is under way or has just ended: the pause then ends with one. */
  #saveSoon(): void {
    if (this.#isClosed) return;
    // Requests that were read in the same turn of the event loop share a save.
    this.#timer ??= setTimeout(async () => {
      const isSaved = await this.save();
      if (this.#isClosed) return;
      const pauseMs = isSaved ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS;
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        if (this.#hasChanged()) this.#saveSoon();
      }, pauseMs);
    });
  }

  async #saveChanges(): Promise<boolean> {
    if (!this.#hasChanged()) return true;
    const nowMs = this.#options.now();
    const today = Math.floor(nowMs / 1000 / DAY_SECONDS);
    const isNewDay = this.#sweptDay !== today;
    if (isNewDay) this.#sweep(nowMs);
    const usages = this.#changedUsages;
    const keys = this.#changedKeys;
    this.#changedUsages = new Map();
    this.#changedKeys = new Set();
    try {
      await this.#options.journal.save({
        usages: [...usages],
        penalties: Array.from(keys, (keyId) => [keyId, this.#penalties.get(keyId)]),
        endedBySeconds: isNewDay ? today * DAY_SECONDS : undefined,
      });
      this.#sweptDay = today;
      return true;
    } catch (error) {
      this.#changedUsages = new Map([...usages, ...this.#changedUsages]);
      this.#changedKeys = keys.union(this.#changedKeys);
      this.#options.onSaveFailed(error);
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const [subject, usage] of this.#addresses) this.#changedUsages.set(subject, usage);
    for (const keyId of this.#penalties.keys()) this.#changedKeys.add(keyId);
    await this.save();
  }

  /** Reads saved usage on the first request of an account or address. */
  #usageNow(usages: Usages, subject: string, nowMs: number): Usage {
    const known = usages.get(subject);
    const found = known ?? this.#options.journal.findUsage(subject);
    const usage = usageAt(found, subject, nowMs);
    if (usage !== known) usages.set(subject, usage);
    return usage;
  }

  #setPenalty(keyId: number, penalty: Penalty): void {
    this.#penalties.set(keyId, penalty);
    this.#changedKeys.add(keyId);
    this.#saveSoon();
  }

  /** Drops what no later request can need. Runs with the first save of a day. */
  #sweep(nowMs: number): void {
    for (const [subject, usage] of this.#accounts) {
      if (isUsageOver(usage, nowMs)) this.#accounts.delete(subject);
    }
    for (const [keyId, penalty] of this.#penalties) {
      if (!isPenaltyOver(penalty, nowMs)) continue;
      this.#penalties.delete(keyId);
      this.#changedKeys.add(keyId);
    }
  }
}
