import { ERRORS, errorBody } from '../contract/errors.ts';
import { AppError, type ErrorCode, type Problem } from '../domain/error.ts';
import { rememberLast } from '../domain/remember-last.ts';
import { ERRORS_PAGE } from './docs/paths.ts';
import type { Reply } from './reply.ts';

const CHALLENGE = 'Bearer realm="animal-store"';
const INTERNAL: Problem = {
  code: 'internal_error',
  message: 'Something went wrong on our side. Try again; if it persists, tell us the X-Request-Id.',
};

/** What the caller is told of a thrown value: an `AppError` speaks for itself, all else is silent. */
export function toProblem(thrown: unknown): Problem {
  return thrown instanceof AppError ? thrown : INTERNAL;
}

export const errorReply = rememberLast<Problem, Reply>(
  (last, next) => last === next,
  ({ code, message, retryAfterSeconds }) => ({
    status: ERRORS[code].status,
    body: JSON.stringify(errorBody(code, message)),
    headers: retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) },
    error: code,
  }),
);

/** The headers that every error of a code has. */
export function errorHeaders(code: ErrorCode, publicUrl: string): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    Link: `<${publicUrl}${ERRORS_PAGE}#${code}>; rel="help"`,
    ...(ERRORS[code].status === 401 && { 'WWW-Authenticate': challenge(code) }),
  };
}

/** RFC 6750: only who sent a token is told that something is wrong with it. */
function challenge(code: ErrorCode): string {
  return code === 'missing_api_key' ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`;
}
