import { useEffect, useState } from 'preact/hooks';
import { BASE_URL } from '../api/api-client.ts';
import { type LinksState, readLinks } from './read-links.ts';

const REFRESH_INTERVAL_MS = 60_000;
const RETRY_INTERVAL_MS = 10_000;
const NOTHING_READ: LinksState = {};

/** What links give, read again every minute. The last responses stay while the service is away. */
export function useLinks(secrets: readonly string[]): LinksState {
  const [state, setState] = useState(NOTHING_READ);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      const result =
        document.hidden && timer ? undefined : await readLinks(BASE_URL, secrets, signal);
      if (signal.aborted) return;
      if (result)
        setState((previous) => (result.isTransient ? { ...previous, ...result } : result));
      timer = setTimeout(load, result?.isTransient ? RETRY_INTERVAL_MS : REFRESH_INTERVAL_MS);
    };
    setState(NOTHING_READ);
    if (secrets.length > 0) load();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [secrets.join()]);
  return state;
}
