/** Shorter than the idle timeout of the service, which would end a hang before it is seen. */
export const HANG_MS = 20_000;

export interface Exchange {
  /** Everything that the service sent, one byte to each character. */
  readonly received: string;
  /** The service neither sent all the responses nor closed the connection in time. */
  readonly timedOut: boolean;
  /** It kept the connection even after the client had ended it. */
  readonly isLeftOpen: boolean;
}

export interface Sending {
  /** Sent until the end, one after another, each in its own packet where the system allows. */
  readonly parts: readonly Uint8Array[];
  /** Returns true when all responses have arrived. */
  readonly isDone: (received: string) => boolean;
  /** Ends the sending direction right after the last part. */
  readonly halfCloses?: boolean;
  readonly timeoutMs?: number;
}

const PAUSE_BETWEEN_PARTS_MS = 1;

/** Opens a connection, sends raw bytes, and waits for the responses or the end of the connection. */
export async function exchange(api: string, sending: Sending): Promise<Exchange> {
  const { parts, isDone, halfCloses = false, timeoutMs = HANG_MS } = sending;
  const { hostname, port } = new URL(api);
  const closed = Promise.withResolvers<'closed'>();
  const done = Promise.withResolvers<'done'>();
  let received = '';
  let isOver = false;
  let unsent: Uint8Array = new Uint8Array();
  const flush = (socket: Pick<Bun.Socket, 'write'>) => {
    unsent = unsent.subarray(Math.max(0, socket.write(unsent)));
  };
  const close = () => {
    isOver = true;
    closed.resolve('closed');
  };
  const socket = await Bun.connect<undefined>({
    hostname,
    port: Number(port),
    socket: {
      data(_, data) {
        received += data.toString('latin1');
        if (!isDone(received)) return;
        isOver = true;
        done.resolve('done');
      },
      drain: flush,
      error: close,
      end: close,
      close,
    },
  });
  try {
    for (const [index, part] of parts.entries()) {
      if (index > 0) await Bun.sleep(PAUSE_BETWEEN_PARTS_MS);
      if (isOver) break;
      unsent = Buffer.concat([unsent, part]);
      flush(socket);
    }
    if (halfCloses) socket.shutdown();
    const ending = await inTime(timeoutMs, done.promise, closed.promise);
    socket.shutdown();
    // More responses than expected would still arrive before the end.
    const isLeftOpen = (await inTime(HANG_MS, closed.promise)) === 'late';
    return { received, timedOut: ending === 'late', isLeftOpen };
  } finally {
    socket.terminate();
  }
}

async function inTime<T>(ms: number, ...promises: Promise<T>[]): Promise<T | 'late'> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), ms);
  try {
    return await Promise.race([...promises, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

interface RawResponse {
  readonly status: number;
  /** False for the responses that the runtime sends without asking the service. */
  readonly isOurs: boolean;
}

/** No body has a line that looks like this. */
const HEAD = /HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/g;

/** The final responses in what was received. */
export function responsesIn(received: string): readonly RawResponse[] {
  return [...received.matchAll(HEAD)]
    .map(([, status, headers = '']) => ({
      status: Number(status),
      isOurs: /^x-request-id:/im.test(headers),
    }))
    .filter(({ status }) => status >= 200);
}
