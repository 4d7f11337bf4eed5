import { listStopSignals } from './stop-signals.ts';

/** Aborts on a signal that stops servers. Only the first is handled; a second one ends the process. */
export function createAbortOnSignal(effect?: string): AbortSignal {
  const controller = new AbortController();
  for (const signal of listStopSignals())
    process.once(signal, () => controller.abort(new InterruptedError(signal, effect)));
  return controller.signal;
}

/** A signal interrupted the command; the exit status is 128 plus the signal's number. */
export class InterruptedError extends Error {
  constructor(
    readonly signal: NodeJS.Signals,
    effect = 'nothing was published',
  ) {
    super(`interrupted; ${effect}`);
  }
}
