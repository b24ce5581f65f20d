import { MAX_BODY_BYTES } from '../contract/operations.ts';
import { withDeadline } from '../domain/deadline.ts';
import { AppError } from '../domain/error.ts';
import { JsonSyntaxError, type JsonValue, parseJson } from '../domain/json.ts';

const BODY_DEADLINE_SECONDS = 30;
const JSON_TYPE = /^application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a JSON body whole, within bounds of size and time. */
export async function readJsonBody(
  request: Request,
  deadlineSeconds = BODY_DEADLINE_SECONDS,
): Promise<JsonValue> {
  const type = request.headers.get('content-type');
  if (type !== null) requireJsonType(type);
  if (request.headers.has('content-encoding')) {
    throw new AppError('unsupported_media_type', 'Send the body uncompressed.');
  }
  const bytes = await readInTime(request, deadlineSeconds);
  if (bytes.length === 0) {
    throw new AppError('malformed_json', 'The body is empty. Send a JSON object.');
  }
  requireJsonType(type ?? '');
  return parseBytes(bytes);
}

function requireJsonType(type: string): void {
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  if (JSON_TYPE.test(type) && charset.toLowerCase() === 'utf-8') return;
  throw new AppError(
    'unsupported_media_type',
    'The body must be JSON in UTF-8, sent with "Content-Type: application/json".',
  );
}

/** Who sends a byte now and then never trips the idle time-out, but must not hold on for ever. */
async function readInTime(request: Request, seconds: number): Promise<Uint8Array> {
  const late = () =>
    new AppError('request_timeout', `The body must arrive within ${seconds} seconds.`);
  try {
    return await withDeadline(seconds * 1000, readBytes(request), late);
  } catch (error) {
    // Who hangs up in the middle is no fault of ours, and is not there to hear of it.
    if (request.signal.aborted) throw new AppError('malformed_json', 'The body broke off.');
    throw error;
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    if (Number(declared) > MAX_BODY_BYTES) throw tooLarge();
    return request.bytes();
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', `The body must be at most ${MAX_BODY_BYTES} bytes.`);
}

function parseBytes(bytes: Uint8Array): JsonValue {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw new AppError('malformed_json', 'The body is not valid UTF-8.');
  }
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new AppError('malformed_json', `The body is not valid JSON: ${error.message}.`);
  }
}
