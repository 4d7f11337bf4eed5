import type { OpenPath } from '../../../clients/typescript/src/ledger/verify-log.ts';
import { StoredItem } from '../api/stored-item.ts';
import { type Verification, verifyService } from './verify-service.ts';

interface KeepVerifiedOptions {
  readonly baseUrl: URL;
  readonly revision: number;
  readonly signal: AbortSignal;
  formatInstant(instant: string): string;
  /** Called with each outcome, and with what continues after an alarm. */
  onVerified(verification: Verification, proceed: () => void): void;
}

const TIMEOUT_MS = 20_000;

let latest: Verification | undefined;

/** Verifies the log of a service now, and again after failures, until the signal ends it. */
export async function keepVerified(
  options: KeepVerifiedOptions,
  acceptRestart?: string,
): Promise<void> {
  const { baseUrl, signal, onVerified } = options;
  // Several services may be at paths of one origin.
  const name = `tenor-ledger ${baseUrl.pathname}`;
  const stored = new StoredItem(() => localStorage, name);
  const service = { ...options, open: createOpenPath(baseUrl), stored, wait };
  const verify = () => verifyService({ ...service, previous: latest, acceptRestart });
  // One tab after the other, because each compares with what the one before it has kept.
  const locks = navigator.locks as LockManager | undefined;
  const verification = await (locks?.request(name, verify) ?? verify());
  if (signal.aborted) return;
  latest = verification;
  const { alarm, retryMs } = verification;
  const proceed = () => {
    if (!alarm?.restartedAs) stored.set(undefined);
    keepVerified(options, alarm?.restartedAs);
  };
  onVerified(verification, proceed);
  // Another tab may have accepted what this one warns of.
  window.onstorage = ({ key }) => {
    if (alarm && key === name && !signal.aborted) keepVerified(options);
  };
  if (retryMs === undefined) return;
  await wait(retryMs);
  if (!signal.aborted) await keepVerified(options);
}

/** Sends no token: the log is open to all. */
function createOpenPath(baseUrl: URL): OpenPath {
  return async (path, accept) => {
    const init = { headers: { accept }, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const response = await fetch(new URL(`.${path}`, baseUrl), init);
    if (response.ok) return response;
    throw Object.assign(new Error(`status ${response.status}`), { status: response.status });
  };
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
