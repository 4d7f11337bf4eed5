import { MAX_SILENCE_MS, type StreamSignal } from './listen-for-revisions.ts';

/** Where the service's events do not arrive. */
const POLL_INTERVAL_MS = 5_000;
/** Several revisions at once are read together. */
const EVENT_DELAY_MS = 150;

interface PollerOptions {
  /** Resolves to the milliseconds after which to retry; undefined if nothing has failed. */
  readonly poll: () => Promise<number | undefined>;
  readonly listen: Listen;
}

/** Listens to the service's events; returns a function that ends it. */
export type Listen = (onSignal: (signal: StreamSignal) => void) => () => void;

/**
 * Polls now, after failures, and when a revision was published: at intervals only while there is no
 * stream of events. Pauses while the tab is hidden.
 */
export function startPoller({ poll, listen }: PollerOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [isPolling, isRequestedAgain, isStopped] = [false, false, false];
  let aliveUntilMs = 0;
  let stopListening: (() => void) | undefined;
  const isAlive = () => aliveUntilMs > Date.now();

  const run = async () => {
    isRequestedAgain = isPolling;
    if (isPolling) return;
    isPolling = true;
    const retryMs = await poll();
    isPolling = false;
    // Not before: the first responses need the few connections that a browser opens.
    if (!isStopped) stopListening ??= listen(onSignal);
    if (isRequestedAgain) scheduleWithin(0);
    else if (retryMs === undefined) waitForEvent();
    else scheduleWithin(retryMs);
  };
  const schedule = (delayMs: number, next: () => void) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => document.hidden || next(), delayMs);
  };
  const scheduleWithin = (delayMs: number) => schedule(delayMs, run);
  const waitForEvent = () => schedule(POLL_INTERVAL_MS, () => (isAlive() ? waitForEvent() : run()));
  const onSignal = (signal: StreamSignal) => {
    const wasAlive = isAlive();
    aliveUntilMs = signal === 'lost' ? 0 : Date.now() + MAX_SILENCE_MS;
    if (signal === 'revision') scheduleWithin(EVENT_DELAY_MS);
    if (signal === 'lost' && wasAlive) scheduleWithin(0);
  };

  const onVisibilityChange = () => scheduleWithin(0);
  document.addEventListener('visibilitychange', onVisibilityChange);
  run();
  return {
    /** Polls after this delay, instead of when it was planned. */
    scheduleWithin,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      stopListening?.();
      document.removeEventListener('visibilitychange', onVisibilityChange);
    },
  };
}
