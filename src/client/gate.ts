import type { Answer } from './answer.ts';
import type { OperationName } from './error-code.ts';
import type { AnimalStoreError } from './errors.ts';
import { isFromService, isSuccess } from './from-service.ts';
import { notify, type WaitEvent } from './hooks.ts';
import { holdSecondsOf, standingOf } from './limit-headers.ts';
import { onAbort } from './on-abort.ts';
import type { Settings } from './options.ts';
import { errorFrom, failureOf, type Outcome } from './outcome.ts';
import { foreseenRefusal, Quota } from './quota.ts';
import type { CancelTimer, Runtime } from './runtime.ts';
import { type Departure, Silence } from './silence.ts';

/** So often in a row without an answer, and those who queue are told instead of waiting on. */
const SILENCES_TO_GIVE_UP = 5;

interface Entrant {
  readonly operation: OperationName;
  readonly isRetry: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  readonly operation: OperationName;
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

/** Why nothing may be sent, and until when; without a time, until an answer comes. */
type Obstacle = { readonly reason: 'answer' } | Wait;

interface Wait {
  readonly reason: Exclude<WaitEvent['reason'], 'backoff'>;
  readonly untilMs: number;
  /** What a caller is told who would have to wait too long. */
  readonly error?: (operation: OperationName, seconds: number) => AnimalStoreError;
}

/** Says how the request ended that was let through. */
export type Leave = (outcome: Outcome) => void;

/**
 * Every request of a client passes here. It bounds how many are under way, holds all of them back
 * for as long as `Retry-After` says, and lets none go that the limits would refuse.
 */
export class Gate {
  readonly #settings: Settings;
  readonly #runtime: Runtime;
  readonly #quota: Quota | undefined;
  readonly #silence = new Silence();
  readonly #newcomers = new Set<Waiting>();
  readonly #retrying = new Set<Waiting>();
  #inFlight = 0;
  #hold: Wait | undefined;
  #timer: { readonly untilMs: number; readonly cancel: CancelTimer } | undefined;

  constructor(settings: Settings, runtime: Runtime) {
    this.#settings = settings;
    this.#runtime = runtime;
    this.#quota = settings.pace ? new Quota() : undefined;
  }

  /**
   * Resolves when a request may be sent. Throws what the service said when that is further off than
   * `maxRetryWaitSeconds`, and the signal's reason when the caller goes away.
   */
  enter({ operation, isRetry, signal }: Entrant): Promise<Leave> {
    const queue = isRetry ? this.#retrying : this.#newcomers;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stopWaiting = () => {
        queue.delete(waiting);
        stopWatching();
      };
      const waiting: Waiting = {
        operation,
        admit: () => {
          stopWaiting();
          resolve(this.#letThrough());
        },
        refuse: (error) => {
          stopWaiting();
          reject(error);
        },
      };
      const stopWatching = onAbort(signal, () => {
        waiting.refuse(signal?.reason);
        this.#proceed();
      });
      queue.add(waiting);
      this.#proceed();
    });
  }

  /** Milliseconds for which `Retry-After` holds everyone back. Throws when that is too long. */
  holdMs(operation: OperationName): number {
    const hold = this.#currentHold();
    if (hold === undefined) return 0;
    const error = this.#errorIfTooLong(hold, operation);
    if (error !== undefined) throw error;
    return hold.untilMs - this.#runtime.elapsed();
  }

  #letThrough(): Leave {
    this.#inFlight++;
    const departure = this.#silence.depart();
    const abandonedBefore = this.#quota?.abandoned ?? 0;
    return (outcome) => {
      this.#inFlight--;
      if (outcome.kind === 'answered' && isFromService(outcome.answer)) {
        this.#silence.hear(departure);
        this.#hear(outcome.answer, abandonedBefore);
      } else if (outcome.kind !== 'unsent') {
        this.#quota?.abandon();
        this.#miss(outcome, departure);
      }
      this.#proceed();
    };
  }

  #hear(answer: Answer, abandonedBefore: number): void {
    const nowMs = this.#runtime.elapsed();
    const standing = standingOf(answer);
    if (standing !== undefined) this.#quota?.learn(standing, nowMs, abandonedBefore);
    else if (isSuccess(answer)) this.#quota?.learnNothing();
    else this.#quota?.abandon();
    const untilMs = nowMs + (holdSecondsOf(answer) ?? 0) * 1000;
    if (untilMs <= Math.max(nowMs, this.#hold?.untilMs ?? 0)) return;
    this.#hold = {
      reason: 'retry-after',
      untilMs,
      error: (operation, seconds) => errorFrom(answer, operation, seconds),
    };
  }

  #miss(outcome: Outcome, departure: Departure): void {
    const isAborted = outcome.kind === 'aborted';
    const isSilence = this.#silence.miss(departure, isAborted, this.#runtime.elapsed());
    const silencesToGiveUp = Math.max(SILENCES_TO_GIVE_UP, this.#settings.maxRetries);
    // That one caller has aborted is nothing to tell the others.
    if (!isSilence || isAborted || this.#silence.count < silencesToGiveUp) return;
    for (const waiting of this.#queue()) waiting.refuse(failureOf(outcome, waiting.operation));
  }

  /** Lets through whoever may go, and sees to it that the others are thought of again. */
  #proceed(): void {
    let wait: Wait | undefined;
    for (const waiting of this.#queue()) {
      const obstacle = this.#obstacle();
      if (obstacle === undefined) {
        waiting.admit();
        continue;
      }
      if (obstacle.reason === 'answer') break;
      const error = this.#errorIfTooLong(obstacle, waiting.operation);
      if (error === undefined) {
        wait = obstacle;
        break;
      }
      waiting.refuse(error);
    }
    this.#wakeAfter(wait);
  }

  *#queue(): Iterable<Waiting> {
    yield* this.#retrying;
    yield* this.#newcomers;
  }

  #obstacle(): Obstacle | undefined {
    const nowMs = this.#runtime.elapsed();
    const hold = this.#currentHold();
    if (hold !== undefined) return hold;
    if (this.#inFlight >= this.#settings.maxConcurrentRequests) return { reason: 'answer' };
    if (this.#silence.count > 0) {
      // One at a time finds out whether the service is back.
      if (this.#inFlight > 0) return { reason: 'answer' };
      const { untilMs } = this.#silence;
      if (untilMs > nowMs) return { reason: 'silence', untilMs };
    }
    if (this.#quota === undefined || this.#quota.remaining > this.#inFlight) return undefined;
    // The first request of all goes alone as well: its answer tells how many may follow.
    if (this.#inFlight > 0) return { reason: 'answer' };
    const usedUp = this.#quota.usedUpAt(nowMs);
    return (
      usedUp && {
        reason: 'quota',
        untilMs: usedUp.resetMs,
        error: (operation, seconds) => foreseenRefusal(operation, seconds, usedUp),
      }
    );
  }

  #currentHold(): Wait | undefined {
    return this.#hold !== undefined && this.#hold.untilMs > this.#runtime.elapsed()
      ? this.#hold
      : undefined;
  }

  #errorIfTooLong(wait: Wait, operation: OperationName): AnimalStoreError | undefined {
    const seconds = (wait.untilMs - this.#runtime.elapsed()) / 1000;
    return seconds > this.#settings.maxRetryWaitSeconds
      ? wait.error?.(operation, Math.ceil(seconds))
      : undefined;
  }

  #wakeAfter(wait: Wait | undefined): void {
    if (this.#timer?.untilMs === wait?.untilMs) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (wait === undefined) return;
    const milliseconds = wait.untilMs - this.#runtime.elapsed();
    const cancel = this.#runtime.after(milliseconds, () => {
      this.#timer = undefined;
      this.#proceed();
    });
    this.#timer = { untilMs: wait.untilMs, cancel };
    notify(this.#settings.hooks.onWait, {
      reason: wait.reason,
      waitSeconds: milliseconds / 1000,
    });
  }
}
