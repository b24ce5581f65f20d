/** Checked by service managers and load balancers, and shown in the console. */
export interface Health {
  /** False if only a restart can help. */
  readonly isAlive: () => boolean;
  readonly isReady: () => Promise<boolean>;
}
