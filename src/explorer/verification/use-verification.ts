import { createContext } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LoadedState } from '../api/read-state.ts';
import { formatInstantLabel } from '../formatting/dates.ts';
import type { ServiceVerification } from './verify-service.ts';

/** For how many ticks nothing must load once a view is drawn: a response may trigger other requests. */
const QUIET_TICKS = 2;
const TICK_MS = 150;

export const VerificationContext = createContext<ServiceVerification | undefined>(undefined);

/** Verifies the log once the view is drawn, and again with each revision; only then loads the script. */
export function useVerification(state: LoadedState | undefined): ServiceVerification | undefined {
  const [verification, onVerified] = useState<ServiceVerification>();
  useEffect(() => {
    if (!state?.revision) return;
    const ended = new AbortController();
    const { api, revision } = state;
    let quietTicks = 0;
    const timer = setInterval(async () => {
      const isQuiet = api.pendingCount === 0 && !document.querySelector('.loading');
      quietTicks = isQuiet ? quietTicks + 1 : 0;
      if (quietTicks < QUIET_TICKS) return;
      clearInterval(timer);
      // If the script is missing, the service was upgraded after the page was opened.
      const script = await import('./keep-verified.ts').catch(() => undefined);
      const { signal } = ended;
      script?.keepVerified({ revision, signal, formatInstant: formatInstantLabel, onVerified });
    }, TICK_MS);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [state?.api, state?.refreshCount]);
  return verification;
}
