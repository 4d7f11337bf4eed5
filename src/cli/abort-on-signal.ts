import { InterruptedError } from './command.ts';

/**
 * A signal from outside, as one that work can be given up by: where it waits, at once; where it is
 * under way, at its next step, as a whole. A second one ends the process as it is.
 */
export function createAbortOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new InterruptedError(signal)));
  }
  return controller.signal;
}
