/** An open connection to a Redis server, or to all masters of a cluster. */
export interface RedisLink {
  /** One subject for each server, to check that all of them work. */
  readonly probeSubjects: readonly string[];
  /** Called when a connection closes. */
  onclose: (error: Error) => void;
  /** Sends a command about the Redis key `name` to the server that has it. */
  send<T>(name: string, command: string, words: string[]): Promise<T>;
  /**
   * Called regularly. Returns for how many calls a server has kept requests waiting and sent
   * nothing. A pause of this process is one call, however long it was.
   */
  tick(): number;
  close(): void;
}
