import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { TenorError } from '../../../clients/typescript/src/errors.ts';
import type { ApiClient, ApiRequest, TenorResponse } from './api-client.ts';
import { ExplorerContext } from './explorer-context.ts';
import { signOut } from './session.ts';

/** How far a question is: what was answered last stays there while the next answer is awaited. */
export interface QueryResult<T> {
  readonly data: T | undefined;
  readonly meta: TenorResponse<T>['meta'] | undefined;
  readonly failure: QueryFailure | undefined;
  readonly isLoading: boolean;
}

/** Why there is no answer. */
export interface QueryFailure {
  readonly kind: TenorError['kind'] | 'broken';
  readonly message: string;
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait before it is asked again. */
  readonly retryAfterMs?: number | undefined;
}

/** Asks, again whenever the question, the instant or the data changes. Undefined asks nothing. */
export function useQuery<T>(
  request: ApiRequest | undefined,
  how: QueryOptions = {},
): QueryResult<T> {
  const key = request && JSON.stringify(request);
  return useAsyncQuery(key, (api) => api.read<T>(request as ApiRequest), how);
}

interface QueryOptions {
  /**
   * Whether the answer to the question before stays until the next is there, marked as loading:
   * only for those who tell from the answer itself what it is about.
   */
  readonly keepPreviousData?: boolean;
}

/**
 * The same for what takes more than one question. `key` is another whenever the work is, and
 * undefined where there is none; the signal is aborted once nobody waits for it any more.
 */
export function useAsyncQuery<T>(
  key: string | undefined,
  callback: (api: ApiClient, signal: AbortSignal) => Promise<TenorResponse<T>>,
  { keepPreviousData = false }: QueryOptions = {},
): QueryResult<T> {
  const { api, refreshCount, reportFailure } = useContext(ExplorerContext);
  const [asked, set] = useState<QueryState<T>>(INITIAL_RESULT);
  const latest = useRef(callback);
  latest.current = callback;
  // With a turn, everything is asked anew.
  useEffect(() => {
    if (key === undefined) {
      set({ ...INITIAL_RESULT, isLoading: false });
      return;
    }
    const wanted = new AbortController();
    const isSame = ({ of }: QueryState<T>) => of?.key === key && of.api === api;
    set((before) => {
      return { ...before, failure: isSame(before) ? before.failure : undefined, isLoading: true };
    });
    latest.current(api, wanted.signal).then(
      ({ data, meta }) => {
        if (wanted.signal.aborted) return;
        set({ data, meta, failure: undefined, isLoading: false, of: { key, api } });
      },
      (cause) => {
        if (wanted.signal.aborted) return;
        const failure = toQueryFailure(cause);
        if (failure.kind === 'unauthorized') signOut(TOKEN_REJECTED_MESSAGE);
        if (isTransient(failure)) reportFailure(failure);
        set((before) => {
          // What was there stays for a while: it was true when it was answered. What answers
          // another question does not.
          const stays = isTransient(failure) && isSame(before) ? before : INITIAL_RESULT;
          return { ...stays, failure, isLoading: false, of: { key, api } };
        });
      },
    );
    return () => wanted.abort();
  }, [key, api, refreshCount]);
  // Seen while drawing, not a moment later: nothing is ever shown as the answer to another question.
  if (asked.of?.key === key && asked.of?.api === api) return asked;
  if (key === undefined) return { ...INITIAL_RESULT, isLoading: false };
  return keepPreviousData && asked.of?.api === api ? { ...asked, isLoading: true } : INITIAL_RESULT;
}

export const TOKEN_REJECTED_MESSAGE =
  'The service does not accept this token: it may be mistyped, expired or revoked.';

/** What is known, and of which question. */
interface QueryState<T> extends QueryResult<T> {
  readonly of?: { readonly key: string; readonly api: ApiClient };
}

const INITIAL_RESULT = { data: undefined, meta: undefined, failure: undefined, isLoading: true };

/** Whether it passes by itself: the page asks again until it has. */
export function isTransient(failure: QueryFailure): boolean {
  return isServiceDown(failure) || failure.kind === 'too_many_requests';
}

/** Whether the service is not there. */
export function isServiceDown({ kind }: QueryFailure): boolean {
  return kind === 'network' || kind === 'timeout' || kind === 'temporarily_unavailable';
}

export function toQueryFailure(cause: unknown): QueryFailure {
  if (cause instanceof TenorError) {
    const { kind, message, requestId, retryAfterMs } = cause;
    return { kind, message, requestId, retryAfterMs };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return { kind: 'broken', message, requestId: undefined };
}
