import { TenorError } from './errors.ts';

/** Bounds of one try. */
export interface AttemptBounds {
  readonly url: string;
  readonly timeoutMs: number;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
  /** Whether the answer is read on when the work is done: then the caller's signal ends that too. */
  readonly isStreamed: boolean;
}

/**
 * Does the work with a signal that ends it in time. Rejects with the reason of the caller's signal
 * where that ended it, and otherwise with a `TenorError`.
 */
export async function withTimeout<T>(
  { url, timeoutMs, signal, isStreamed }: AttemptBounds,
  callback: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  let isKept = false;
  try {
    // A fetch of somebody's own may not listen to the signal.
    const done = await Promise.race([callback(ending.signal), rejectOnAbort(ending.signal)]);
    isKept = isStreamed;
    return done;
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof TenorError) throw cause;
    if (ending.signal.aborted) {
      const told = `no complete answer within ${Math.round(timeoutMs)} ms`;
      throw new TenorError('timeout', told, { url }, { cause });
    }
    throw new TenorError(
      'network',
      `the connection failed: ${findRootMessage(cause)}`,
      { url },
      { cause },
    );
  } finally {
    clearTimeout(timer);
    if (!isKept) signal?.removeEventListener('abort', abort);
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** What some runtimes say only in the cause of the cause, or as a code. */
function findRootMessage(cause: unknown): string {
  const { message, code, cause: inner } = Object(cause) as Record<string, unknown>;
  if (inner !== undefined) return findRootMessage(inner);
  return String(message || code || cause);
}
