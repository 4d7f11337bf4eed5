import type { Awaitable } from './awaitable.ts';
import { system } from './system.ts';

/** The clock may be set, and the machine may sleep, so the clock is checked again after this time. */
const MAX_PAUSE_MS = 1_000;

interface WaitOptions {
  readonly readClock?: () => Awaitable<number>;
  /** How long before the instant the wait ends, read about once a second. */
  readonly getLeadMs?: (remainingMs: number) => number;
  /** Called about once a second. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal | undefined;
}

/** Waits until a clock shows an instant, however far off; rejects when the signal is aborted. */
export async function waitUntil(
  instantMs: number,
  { readClock = () => system.now(), getLeadMs, onWait, signal }: WaitOptions,
): Promise<void> {
  for (;;) {
    const untilMs = instantMs - (await readClock());
    const remainingMs = untilMs - (getLeadMs?.(untilMs) ?? 0);
    signal?.throwIfAborted();
    if (remainingMs <= 0) return;
    onWait?.();
    await pause(Math.min(remainingMs, MAX_PAUSE_MS), signal);
  }
}

/** Waits for a time; an abort ends the wait early. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = system.setTimeout(end, signal?.aborted ? 0 : delayMs);
  signal?.addEventListener('abort', end);
  return promise.finally(() => {
    timer.cancel();
    signal?.removeEventListener('abort', end);
  });
}
