import type { EmitEvent } from '../../event-log.ts';
import { system } from '../../shared/system.ts';

const WINDOW_MS = 10_000;
const MAX_LINES_PER_WINDOW = 1_000;

/**
 * Bounds the log lines of requests without an accepted token, which anybody can send in any number.
 * Those that are left out are counted in one event.
 */
export function limitAnonymousRequests(emit: EmitEvent): EmitEvent {
  let lines = 0;
  let isWindowOpen = false;
  const closeWindow = () => {
    const count = lines - MAX_LINES_PER_WINDOW;
    lines = 0;
    isWindowOpen = false;
    if (count > 0) emit({ event: 'requests.unlogged', count });
  };
  return (event) => {
    if (event.event === 'service.stopped') closeWindow();
    if (event.event !== 'request' || event.token !== null) return emit(event);
    // A timer only while there are such requests.
    if (!isWindowOpen) system.setTimeout(closeWindow, WINDOW_MS).unref();
    isWindowOpen = true;
    if (++lines <= MAX_LINES_PER_WINDOW) emit(event);
  };
}
