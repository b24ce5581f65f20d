import { isUtf8 } from 'node:buffer';
import {
  BODY_DEADLINE_SECONDS,
  MAX_BODY_BYTES,
  MAX_BODY_PIECES,
  MAX_BODY_VALUES,
} from '../contract/api.ts';
import { AppError, problem } from '../contract/errors.ts';
import type { ResponseParts } from '../contract/exchange.ts';
import { TRAILER_RULE } from '../contract/parameters.ts';
import { JsonSyntaxError, type JsonValue, parseJson } from '../domain/json.ts';

const JSON_TYPE = /^application\/json\s*(;|$)/i;
/** Text in ASCII is UTF-8, too. */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?(?:utf-?8|(?:us-)?ascii)(?:[\s;"]|$))/i;
const UTF8 = new TextDecoder();
/** On average. nginx sends a large body in pieces of 8 KB. */
const SMALLEST_PIECE_OF_LARGE_BODY = 4_096;
/** For a response to a body that was not read to its end. */
const CLOSE_UNREAD = { Connection: 'close' };

/** Of the process, as the event loop is. */
let hasClosed = false;

/**
 * Resolves at once for one response in each turn of the event loop, and in the next turn for the others.
 * The runtime serves the first request of a connection while it still accepts connections, until there
 * are no more. Clients that connect again at once would keep it from everything else. To wait doubles the
 * cost of a body in many chunks, so the first does not wait.
 */
export async function turnToClose(): Promise<void> {
  if (hasClosed) return new Promise<void>(setImmediate);
  hasClosed = true;
  setImmediate(() => {
    hasClosed = false;
  });
}

/**
 * Reads a chunked body that no one needs, so that a proxy which is still sending it sees the response.
 * The connection closes if that takes longer than a second or the body has too many pieces, because until
 * it closes the runtime parses them, and small ones cost much.
 */
export async function discardBody(request: Request, parts: ResponseParts): Promise<ResponseParts> {
  const closing = { ...parts, headers: { ...parts.headers, ...CLOSE_UNREAD } };
  // The runtime would respond to trailers first, with an empty 400.
  if (request.headers.has('trailer')) return closing;
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
  if (isCompressed(request.headers)) {
    throw new AppError({
      ...problem('unsupported_media_type'),
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
  const type = request.headers.get('content-type');
  if (type !== null) requireJsonType(type);
  // The runtime refuses trailers only after it has passed on the whole body.
  if (request.headers.has('trailer')) {
    throw new AppError(problem('invalid_parameter', 'header Trailer', TRAILER_RULE));
  }
  const bytes = await readInTime(request, deadlineSeconds);
  if (bytes.length === 0)
    throw new AppError(problem('malformed_json', 'is empty; send a JSON object'));
  requireJsonType(type ?? '');
  return parseBytes(bytes);
}

function isCompressed(headers: Headers): boolean {
  const encoding = headers.get('content-encoding') ?? '';
  return encoding !== '' && encoding.toLowerCase() !== 'identity';
}

function requireJsonType(type: string): void {
  if (JSON_TYPE.test(type) && !OTHER_CHARSET.test(type)) return;
  throw new AppError(problem('unsupported_media_type'));
}

/** A client that sends a byte now and then never trips the idle timeout, but trips this one. */
async function readInTime(request: Request, seconds: number): Promise<Uint8Array> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new AppError({ ...problem('request_timeout'), headers: CLOSE_UNREAD })),
    seconds * 1000,
  );
  try {
    const bytes = await Promise.race([readBytes(request), late]);
    // In this turn the runtime may still drop the request because of what follows its body.
    await new Promise(setImmediate);
    request.signal.throwIfAborted();
    return bytes;
  } catch (error) {
    // A client disconnect is not our error.
    if (request.signal.aborted) throw new AppError(problem('malformed_json', 'is incomplete'));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    // The runtime joins two equal lengths with a comma. That is not a number, which fits any limit.
    if (declared.includes(',')) {
      throw new AppError(
        problem('invalid_parameter', 'header Content-Length', 'must be sent only once'),
      );
    }
    if (Number(declared) > MAX_BODY_BYTES) throw new AppError(problem('payload_too_large'));
    // Every piece has at least one byte, so this body cannot have too many pieces. With a stream, a
    // creation takes up to a third longer.
    if (Number(declared) <= MAX_BODY_PIECES) return request.bytes();
    // Most bodies are complete after this turn. Reading them then takes half as long.
    await new Promise(setImmediate);
  }
  const kept: Uint8Array[] = [];
  let count = 0;
  let length = 0;
  for await (const piece of request.body ?? []) {
    count++;
    length += piece.length;
    if (count > Math.max(MAX_BODY_PIECES, length / SMALLEST_PIECE_OF_LARGE_BODY)) {
      throw new AppError({
        ...problem('malformed_json', `arrives in more than ${MAX_BODY_PIECES} chunks or packets`),
        headers: CLOSE_UNREAD,
      });
    }
    // The rest of a body that is too large is read as well. If the connection closed earlier, a proxy
    // that is still sending would not see the response.
    if (length <= MAX_BODY_BYTES) kept.push(piece);
  }
  if (length > MAX_BODY_BYTES) throw new AppError(problem('payload_too_large'));
  return Buffer.concat(kept);
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
