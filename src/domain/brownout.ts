/** A short outage of a deprecated operation, announced and planned, to find those who still use it. */
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

/** Brownouts, for operators. Throws `OperatorError` for one that does not exist or overlaps another. */
export interface BrownoutStore {
  /** In the order of their start. */
  listBrownouts(): Promise<Brownout[]>;
  scheduleBrownout(brownout: NewBrownout): Promise<Brownout>;
  /** Ends one that is in progress. Throws `OperatorError` if it is over or was cancelled. */
  cancelBrownout(id: number, nowMs: number): Promise<Brownout>;
}
