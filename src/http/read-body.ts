import { isUtf8 } from 'node:buffer';
import {
  BODY_DEADLINE_SECONDS,
  MAX_BODY_BYTES,
  MAX_BODY_PIECES,
  MAX_BODY_VALUES,
} from '#contract/api.ts';
import { AppError, type Problem, problem } from '#contract/errors.ts';
import type { ResponseParts } from '#contract/exchange.ts';
import { JsonSyntaxError, type JsonValue, parseJson } from '#formats/json.ts';
import { withDeadline } from '#timing/deadline.ts';

const JSON_TYPE = /^application\/json\s*(;|$)/i;
/** Finds a charset other than UTF-8. ASCII is allowed, because text in ASCII is also UTF-8. */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?(?:utf-?8|(?:us-)?ascii)(?:[\s;"]|$))/i;
const TOO_LARGE = problem('payload_too_large');
const UTF8 = new TextDecoder();
/**
 * The smallest average size of the pieces of a large body, in bytes. nginx sends a large body in pieces of
 * 8 KB, so this leaves some room.
 */
const SMALLEST_PIECE_OF_LARGE_BODY = 4_096;
/**
 * How many bytes of a body that is too large are read. A proxy that is still sending a body when the connection closes
 * does not see the response, but an endless body must not keep the service busy.
 */
const MAX_BYTES_READ = 1024 * 1024;

/**
 * True if a response of this turn has already closed its connection. A process has only one event loop, so
 * all listeners of the process share this variable.
 */
let hasClosed = false;

/**
 * Call this before a response that closes its connection. It resolves at once for one response in each turn
 * of the event loop, and in the next turn for all others.
 *
 * While the runtime accepts connections, it also serves the first request of each, and continues until no
 * connection is left to accept. Clients that reconnect as soon as their connection closes would keep it in
 * that loop, and nothing else would run. The first response of a turn does not wait, because a wait doubles
 * the cost of a body in many chunks.
 */
export async function waitForTurnToClose(): Promise<void> {
  if (hasClosed) return new Promise<void>(setImmediate);
  hasClosed = true;
  setImmediate(() => {
    hasClosed = false;
  });
}

/** True for a body that may have many pieces, and that no step of the pipeline has read. */
export function hasUnreadBody({ headers, bodyUsed }: Request): boolean {
  if (bodyUsed) return false;
  return (
    headers.has('transfer-encoding') || Number(headers.get('content-length')) > MAX_BODY_PIECES
  );
}

/**
 * Reads a body that the response does not depend on, so that a proxy which is still sending it sees the
 * response. If that takes longer than a second, or if the body has too many pieces, the connection closes
 * instead: as long as it is open, the runtime parses every piece, and many small pieces are expensive.
 */
export async function discardBody(request: Request, parts: ResponseParts): Promise<ResponseParts> {
  const closing = { ...parts, headers: { ...parts.headers, Connection: 'close' } };
  // The runtime does not pass on the body of a GET. If a body with trailers is read to its end, the runtime responds
  // to the trailers itself, with an empty 400.
  if (request.body === null || request.headers.has('trailer')) return closing;
  return readInTime(request, 1).then(
    () => parts,
    () => closing,
  );
}

/** Reads a whole JSON body, with limits on its size and on the time it takes. */
export async function readJsonBody(
  request: Request,
  deadlineSeconds = BODY_DEADLINE_SECONDS,
): Promise<JsonValue> {
  const encoding = request.headers.get('content-encoding') || 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new AppError({
      ...problem('unsupported_media_type'),
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
  const type = request.headers.get('content-type');
  if (type !== null) requireJsonType(type);
  // The runtime refuses trailers too, but only after it has passed on the whole body.
  if (request.headers.has('trailer')) {
    const rule = 'is not supported; send the body without trailers';
    throw new AppError(problem('invalid_parameter', 'header Trailer', rule));
  }
  // This refuses a body before it has arrived. The pipeline discards it, as it does with every body that nobody read.
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) throw new AppError(TOO_LARGE);
  const bytes = await readInTime(request, deadlineSeconds);
  if (bytes.length === 0)
    throw new AppError(problem('malformed_json', 'is empty; send a JSON object'));
  requireJsonType(type ?? '');
  return parseBytes(bytes);
}

function requireJsonType(type: string): void {
  if (JSON_TYPE.test(type) && !OTHER_CHARSET.test(type)) return;
  throw new AppError(problem('unsupported_media_type'));
}

/**
 * Reads a body, with a limit on the time it takes. The idle timeout of the listener is not enough, because a
 * client that sends a byte now and then never reaches it.
 */
async function readInTime(request: Request, seconds: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  const late = () => unread(problem('request_timeout'));
  try {
    // Most bodies are complete after this turn of the event loop. A short one then needs no timer, and a long one
    // takes half as long to read.
    if (declared !== null) await new Promise(setImmediate);
    const reading = readBytes(request, declared);
    if (Bun.peek.status(reading) === 'pending') {
      await withDeadline(seconds * 1000, reading, late);
      // The runtime may still drop the request in this turn, because of the bytes that follow its body.
      await new Promise(setImmediate);
    }
    const bytes = await reading;
    request.signal.throwIfAborted();
    return bytes;
  } catch (error) {
    // A client disconnect is not our error.
    if (request.signal.aborted) throw new AppError(problem('malformed_json', 'is incomplete'));
    throw error;
  }
}

function readBytes(request: Request, declared: string | null): Promise<Uint8Array> {
  // The runtime joins two equal lengths with a comma. The result is not a number, and a comparison with
  // NaN would let it pass any limit.
  if (declared?.includes(',')) {
    throw new AppError(
      problem('invalid_parameter', 'header Content-Length', 'must be sent only once'),
    );
  }
  // Every piece has at least one byte, so a body this short cannot have too many pieces. Reading it as a
  // stream would make a creation take up to a third longer.
  const isShort = declared !== null && Number(declared) <= MAX_BODY_PIECES;
  return isShort ? request.bytes() : readPieces(request);
}

async function readPieces(request: Request): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let count = 0;
  let length = 0;
  for await (const piece of request.body ?? []) {
    count++;
    length += piece.length;
    if (count > Math.max(MAX_BODY_PIECES, length / SMALLEST_PIECE_OF_LARGE_BODY)) {
      const rule = `arrives in more than ${MAX_BODY_PIECES} chunks or packets`;
      throw unread(problem('malformed_json', rule));
    }
    if (length > MAX_BYTES_READ) throw unread(TOO_LARGE);
    if (length <= MAX_BODY_BYTES) kept.push(piece);
  }
  if (length > MAX_BODY_BYTES) throw new AppError(TOO_LARGE);
  return Buffer.concat(kept);
}

/** The error for a body that was not read to its end, and whose connection therefore closes. */
function unread(shown: Problem): AppError {
  return new AppError({ ...shown, headers: { Connection: 'close' } });
}

function parseBytes(bytes: Uint8Array): JsonValue {
  // A `fatal` decoder takes four times as long to refuse invalid bytes.
  if (!isUtf8(bytes)) throw new AppError(problem('malformed_json', 'is not valid UTF-8'));
  try {
    return parseJson(UTF8.decode(bytes), MAX_BODY_VALUES);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new AppError(problem('malformed_json', error.message));
  }
}
