/** This is shorter than the idle timeout of the service, which would otherwise end a hang before the attack sees it. */
export const HANG_MS = 20_000;

export interface Exchange {
  /** Everything that the service sent. Each character stands for one byte. */
  readonly received: string;
  /** The service neither sent all the responses nor closed the connection in time. */
  readonly timedOut: boolean;
  /** The service kept the connection open even after the client had closed it. */
  readonly isLeftOpen: boolean;
}

export interface Sending {
  /** The bytes to send, one part after the other, each in its own packet if the system allows that. */
  readonly parts: readonly Uint8Array[];
  /** Returns true when all responses have arrived. */
  readonly isDone: (received: string) => boolean;
  /** The client closes its sending side right after the last part. */
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
    // If the service sends more responses than expected, they arrive before it closes the connection.
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

/** The head of a response. No body contains a line that looks like it. */
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
