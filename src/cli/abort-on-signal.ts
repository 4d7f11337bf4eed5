/** Aborts on SIGINT and SIGTERM. Only the first signal is handled: a second ends the process. */
export function createAbortOnSignal(effect?: string): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => controller.abort(new InterruptedError(signal, effect)));
  return controller.signal;
}

/** A signal interrupted the command; exit status 128 plus the signal's number. */
export class InterruptedError extends Error {
  constructor(
    readonly signal: 'SIGINT' | 'SIGTERM',
    effect = 'nothing was published',
  ) {
    super(`interrupted; ${effect}`);
  }
}
