/** Version, trace, span and flags. A later version may have further parts. */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;
const ZEROS = /^0+$/;

/** The id of the trace in a `traceparent` header of W3C Trace Context. Undefined if it is invalid. */
export function traceIdOf(traceparent: string | null): string | undefined {
  const [, version, traceId = '', spanId = '', further] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (version === undefined || version === 'ff') return undefined;
  if (version === '00' && further !== undefined) return undefined;
  return ZEROS.test(traceId) || ZEROS.test(spanId) ? undefined : traceId;
}
