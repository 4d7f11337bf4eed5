import { SYSTEM_CLOCK } from '../../../src/client/retry.ts';
import { replaceSystem, type System, system, type Timer } from '../../../src/shared/system.ts';
import type { Scheduler } from '../scheduler.ts';
import { tabs } from './tab.ts';

/** Gives the program the time and chance of a scheduler, the client of the service too. */
export function replaceTimers(scheduler: Scheduler): void {
  const simulated = scheduler.createSystem();
  replaceSystem({
    ...simulated,
    setTimeout: (callback, delayMs) => startTimer(scheduler, simulated, callback, delayMs),
  });
  Object.assign(SYSTEM_CLOCK, {
    nowMs: () => system.monotonicNow(),
    random: () => system.random(),
    startTimer(ms: number, onTimeout: () => void) {
      const timer = system.setTimeout(onTimeout, ms);
      return () => timer.cancel();
    },
  });
}

/** How long a timer is held back before it is looked at again: a tab may wake earlier. */
const MAX_HELD_MS = 1_000;

/** Timers of tabs may be held back. */
function startTimer(
  scheduler: Scheduler,
  simulated: System,
  callback: () => void,
  delayMs: number,
): Timer {
  const tab = tabs.get(scheduler.current);
  if (!tab) return simulated.setTimeout(callback, delayMs);
  const fire = () => {
    const heldMs = tab.timersHeldUntilMs - scheduler.nowMs;
    if (heldMs > 0) inner = simulated.setTimeout(fire, Math.min(heldMs, MAX_HELD_MS));
    else callback();
  };
  let inner = simulated.setTimeout(fire, delayMs);
  const timer: Timer = { cancel: () => inner.cancel(), unref: () => timer };
  return timer;
}
