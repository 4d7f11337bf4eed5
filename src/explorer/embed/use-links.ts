import { useEffect, useState } from 'preact/hooks';
import { BASE_URL } from '../api/api-client.ts';

export interface LinkResponses {
  readonly data: readonly unknown[];
  readonly revision: number;
  /** Whether more records match than a link gives. */
  readonly isCut: boolean;
}

interface LinksState {
  readonly responses?: LinkResponses;
  readonly problem?: string;
}

const REFRESH_INTERVAL_MS = 60_000;
const RETRY_INTERVAL_MS = 10_000;

/** What links give, read again every minute. The last responses stay while the service is away. */
export function useLinks(secrets: readonly string[]): LinksState {
  const [state, setState] = useState<LinksState>({});
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      const result = document.hidden && timer ? undefined : await readLinks(secrets, signal);
      if (signal.aborted) return;
      if (result)
        setState((previous) => (result.isTransient ? { ...previous, ...result } : result));
      timer = setTimeout(load, result?.problem ? RETRY_INTERVAL_MS : REFRESH_INTERVAL_MS);
    };
    if (secrets.length > 0) load();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [secrets.join()]);
  return state;
}

async function readLinks(
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<LinksState & { readonly isTransient?: boolean }> {
  try {
    const responses = await Promise.all(secrets.map((secret) => readLink(secret, signal)));
    return {
      responses: {
        data: responses.map(({ data }) => data),
        revision: Math.max(...responses.map(({ revision }) => revision)),
        isCut: responses.some(({ isCut }) => isCut),
      },
    };
  } catch (cause) {
    if (cause instanceof LinkError) return { problem: cause.message };
    return { problem: 'The service does not answer; retrying.', isTransient: true };
  }
}

/** What another attempt does not change. */
class LinkError extends Error {}

async function readLink(secret: string, signal: AbortSignal) {
  const url = new URL(`links/${encodeURIComponent(secret)}`, BASE_URL);
  const headers = { accept: 'application/json' };
  const response = await fetch(url, { headers, signal, credentials: 'omit', cache: 'no-cache' });
  if (response.status === 404) {
    throw new LinkError('This link is not known: it may be mistyped, revoked or expired.');
  }
  if (!response.headers.get('content-type')?.startsWith('application/json')) {
    throw new LinkError('This link gives another format than JSON: create it without “format”.');
  }
  const { status, message, data } = (await response.json()) as {
    readonly status: string;
    readonly message?: string;
    readonly data?: unknown;
  };
  if (response.status >= 500 || response.status === 429) throw new Error(message);
  if (status !== 'ok') throw new LinkError(`The service says: ${message}.`);
  return {
    data,
    revision: Number(response.headers.get('tenor-revision')),
    isCut: response.headers.get('link')?.includes('rel="next"') ?? false,
  };
}
