import { InterruptedError } from './command.ts';

/**
 * An abort signal for SIGINT and SIGTERM: a wait ends at once, a running load at its next chunk.
 * A second signal ends the process.
 */
export function createAbortOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new InterruptedError(signal)));
  }
  return controller.signal;
}
