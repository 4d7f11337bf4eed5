import { boundResponse } from '../../client/bounded-response.ts';
import { toLogResponse } from '../../client/create-open-path.ts';
import type { OpenPath } from '../../ledger/open-path.ts';
import { BROWSER_TAB } from '../api/browser-tab.ts';
import { StoredItem } from '../api/stored-item.ts';
import { type ServiceVerification, type VerifiedService, verifyService } from './verify-service.ts';

interface KeepVerifiedOptions extends Pick<VerifiedService, 'revision' | 'formatInstant'> {
  readonly signal: AbortSignal;
  onVerified(verification: ServiceVerification): void;
}

const TIMEOUT_MS = 20_000;
/** Several services may share an origin, at different paths. */
const NAME = `tenor-ledger ${BROWSER_TAB.baseUrl.pathname}`;
const stored = new StoredItem(() => localStorage, NAME);
let previous: ServiceVerification | undefined;

/** Verifies the log of the service now, and again after failures, until the signal aborts. */
export async function keepVerified(
  options: KeepVerifiedOptions,
  acceptRestart?: string,
): Promise<void> {
  const { signal, onVerified } = options;
  const verify = () =>
    verifyService({ ...options, open: openPath, stored, previous, acceptRestart });
  // One tab after the other, because each compares with the state kept by the previous one.
  const locks = navigator.locks as LockManager | undefined;
  previous = await (locks?.request(NAME, verify) ?? verify());
  if (signal.aborted) return;
  const { alarm, retryMs } = previous;
  const proceed = () => {
    if (!alarm?.restartedAs) stored.set(undefined);
    keepVerified(options, alarm?.restartedAs);
  };
  onVerified(alarm ? { ...previous, alarm: { ...alarm, proceed } } : previous);
  // Another tab may have accepted what this one warns about.
  window.onstorage = ({ key }) => {
    if (alarm && key === NAME && !signal.aborted) keepVerified(options);
  };
  if (retryMs === undefined) return;
  await wait(retryMs);
  if (!signal.aborted) await keepVerified(options);
}

/** Sends no token, because the log is open to all. A cached tile may be of another log at this address. */
const openPath: OpenPath = async (path, accept) => {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const init: RequestInit = { headers: { accept }, cache: 'no-store', signal };
  const response = await fetch(new URL(`.${path}`, BROWSER_TAB.baseUrl), init);
  if (response.ok) return toLogResponse(boundResponse(response, path));
  throw Object.assign(new Error(`status ${response.status}`), { status: response.status });
};

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
