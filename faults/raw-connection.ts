/** Shorter than the idle timeout of the service, which would end a hang before it is seen. */
export const HANG_MS = 20_000;

export interface Exchange {
  /** Everything that the service sent, one byte to each character. */
  readonly received: string;
  /** The service neither sent all the responses nor closed the connection in time. */
  readonly timedOut: boolean;
}

export interface Sending {
  /** Sent one after another, each in its own packet where the system allows. */
  readonly parts: readonly Uint8Array[];
  /** Returns true when all responses have arrived. */
  readonly isDone: (received: string) => boolean;
  /** Ends the sending direction right after the last part. */
  readonly halfCloses: boolean;
  readonly timeoutMs: number;
}

const PAUSE_BETWEEN_PARTS_MS = 1;
/** How long the service may take to close a connection that the client has ended. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Opens a connection, sends raw bytes, and waits for the responses or the end of the connection. */
export async function exchange(api: string, sending: Sending): Promise<Exchange> {
  const { parts, isDone, halfCloses, timeoutMs } = sending;
  const { hostname, port } = new URL(api);
  const closed = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<'done' | 'late'>();
  let received = '';
  let unsent: Uint8Array = new Uint8Array();
  const flush = (socket: Pick<Bun.Socket, 'write'>) => {
    unsent = unsent.subarray(Math.max(0, socket.write(unsent)));
  };
  const socket = await Bun.connect<undefined>({
    hostname,
    port: Number(port),
    socket: {
      data(_, data) {
        received += data.toString('latin1');
        if (isDone(received)) finished.resolve('done');
      },
      drain: flush,
      error: () => closed.resolve(),
      end: () => closed.resolve(),
      close: () => closed.resolve(),
    },
  });
  let timer = setTimeout(() => finished.resolve('late'), timeoutMs);
  try {
    for (const [index, part] of parts.entries()) {
      if (index > 0) await Bun.sleep(PAUSE_BETWEEN_PARTS_MS);
      unsent = Buffer.concat([unsent, part]);
      flush(socket);
    }
    if (halfCloses) socket.shutdown();
    const outcome = await Promise.race([finished.promise, closed.promise]);
    if (outcome === 'done') {
      socket.shutdown();
      // More responses than expected would still arrive before the end.
      clearTimeout(timer);
      timer = setTimeout(() => closed.resolve(), CLOSE_TIMEOUT_MS);
      await closed.promise;
    }
    return { received, timedOut: outcome === 'late' };
  } finally {
    clearTimeout(timer);
    socket.terminate();
  }
}
