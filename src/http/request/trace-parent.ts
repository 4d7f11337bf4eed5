export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
}

/** Later versions may add parts at the end. */
const TRACE_PARENT_PATTERN =
  /^(?:00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}|(?!00|ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-.*)?)$/;

/** The ids in a `traceparent` (W3C Trace Context); undefined where it is invalid. */
export function parseTraceParent(header: string): TraceParent | undefined {
  const [, traceId0, spanId0, traceId1, spanId1] = TRACE_PARENT_PATTERN.exec(header) ?? [];
  const traceId = traceId0 ?? traceId1;
  const spanId = spanId0 ?? spanId1;
  if (traceId === undefined || spanId === undefined) return undefined;
  // An id of zeros is no id.
  return /[^0]/.test(traceId) && /[^0]/.test(spanId) ? { traceId, spanId } : undefined;
}
