import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiClient } from './api-client.ts';
import { BROWSER_TAB } from './browser-tab.ts';
import { type QueryFailure, TOKEN_REJECTED_MESSAGE } from './query-failure.ts';
import type { LoadedState } from './read-state.ts';
import { signOut } from './session.ts';
import { mergePolledState, StatePoller } from './state-poller.ts';

/**
 * The state of the explorer, kept up to date: undefined until the first response, and not current while
 * another instant loads. `preload` sends the other requests that the page needs first.
 */
export function useExplorerState(
  token: string,
  asOf: string | undefined,
  preload: (api: ApiClient) => void,
) {
  const api = useMemo(() => new ApiClient(BROWSER_TAB, token, asOf), [token, asOf]);
  const [loaded, setLoaded] = useState<LoadedState>();
  const [failure, setFailure] = useState<QueryFailure>();
  const poller = useRef<StatePoller>(undefined);

  useEffect(() => {
    setFailure(undefined);
    preload(api);
    const started = new StatePoller(api, {
      onPolled: (polled, shouldRefresh) =>
        setLoaded((previous) => mergePolledState(previous, polled, shouldRefresh)),
      onFailure: setFailure,
      onTokenRejected: () => signOut(TOKEN_REJECTED_MESSAGE),
    });
    poller.current = started;
    return () => started.stop();
  }, [api]);

  const reportFailure = useCallback(
    (reported: QueryFailure) => poller.current?.reportFailure(reported),
    [],
  );
  const state = useMemo(() => loaded && { ...loaded, reportFailure }, [loaded, reportFailure]);
  return { state, isCurrent: loaded?.api === api, failure };
}
