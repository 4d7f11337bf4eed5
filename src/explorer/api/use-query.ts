import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiClient, TenorResponse } from './api-client.ts';
import { useExplorer } from './explorer-context.ts';
import {
  isTransient,
  type QueryFailure,
  TOKEN_REJECTED_MESSAGE,
  toQueryFailure,
} from './query-failure.ts';
import { signOut } from './session.ts';
import type { ApiRequest } from './types.ts';

/** The state of a query. Previous data stays while the same query is repeated. */
export interface QueryResult<T> {
  readonly data: T | undefined;
  readonly meta: TenorResponse<T>['meta'] | undefined;
  readonly failure: QueryFailure | undefined;
  readonly isLoading: boolean;
}

/**
 * Keeps the data of the previous request, marked as loading, until the next data arrives: only for views that
 * take their subject from the data itself.
 */
export const KEEP_PREVIOUS = true;

/** Reads again whenever the request, the instant or the revision changes. */
export function useQuery<T>(
  request: ApiRequest | undefined,
  keepsPrevious = false,
): QueryResult<T> {
  const key = request && JSON.stringify(request);
  return useAsyncQuery(key, (api) => api.read<T>(request as ApiRequest), keepsPrevious);
}

/**
 * The same for a callback that sends several requests. `key` identifies what it reads, undefined for nothing;
 * the signal is aborted when the result is no longer needed.
 */
export function useAsyncQuery<T>(
  key: string | undefined,
  callback: (api: ApiClient, signal: AbortSignal) => Promise<TenorResponse<T>>,
  keepsPrevious = false,
): QueryResult<T> {
  const { api, refreshCount, reportFailure } = useExplorer();
  const [state, setState] = useState<QueryState<T>>(INITIAL_RESULT);
  const latestCallback = useRef(callback);
  latestCallback.current = callback;
  const isSame = (query: QueryState<T>) => query.key === key && query.api === api;
  useEffect(() => {
    if (key === undefined) {
      setState(IDLE_RESULT);
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    setState((previous) => {
      const failure = isSame(previous) ? previous.failure : undefined;
      return { ...previous, failure, isLoading: true };
    });
    latestCallback.current(api, signal).then(
      ({ data, meta }) => {
        if (signal.aborted) return;
        setState({ data, meta, failure: undefined, isLoading: false, key, api });
      },
      (cause) => {
        if (signal.aborted) return;
        const failure = toQueryFailure(cause);
        if (failure.kind === 'unauthorized') signOut(TOKEN_REJECTED_MESSAGE);
        if (isTransient(failure)) reportFailure(failure);
        setState((previous) => {
          // Data of the same query stays during an outage.
          const base = isTransient(failure) && isSame(previous) ? previous : INITIAL_RESULT;
          return { ...base, failure, isLoading: false, key, api };
        });
      },
    );
    return () => controller.abort();
  }, [key, api, refreshCount]);
  // Checked while rendering, so that no frame shows the data of another query.
  if (isSame(state)) return state;
  if (key === undefined) return IDLE_RESULT;
  return keepsPrevious && state.api === api ? { ...state, isLoading: true } : INITIAL_RESULT;
}

/** Sends several requests at once; returns the data in the same order. */
export function useQueries<T>(
  requests: readonly ApiRequest[],
  keepsPrevious = false,
): QueryResult<readonly T[]> {
  const key = requests.length === 0 ? undefined : JSON.stringify(requests);
  return useAsyncQuery<readonly T[]>(key, (api) => readAll<T>(api, requests), keepsPrevious);
}

/** Sends at least one request, all at once. */
async function readAll<T>(
  api: ApiClient,
  requests: readonly ApiRequest[],
): Promise<TenorResponse<readonly T[]>> {
  const responses = await Promise.all(requests.map((request) => api.read<T>(request)));
  const { meta } = responses[0] as TenorResponse<T>;
  return { data: responses.map(({ data }) => data), meta };
}

interface QueryState<T> extends QueryResult<T> {
  readonly key?: string;
  readonly api?: ApiClient;
}

const INITIAL_RESULT = { data: undefined, meta: undefined, failure: undefined, isLoading: true };
const IDLE_RESULT = { ...INITIAL_RESULT, isLoading: false };
