import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { TenorError } from '../../../clients/typescript/src/errors.ts';
import type { Answer, Api, Question } from './api.ts';
import { ServiceContext } from './service.ts';
import { signOut } from './session.ts';

/** How far a question is: what was answered last stays there while the next answer is awaited. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly meta: Answer<T>['meta'] | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
}

/** Why there is no answer. */
export interface Failure {
  readonly kind: TenorError['kind'] | 'broken';
  readonly message: string;
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
}

/** Asks, again whenever the question, the instant or the data changes. Undefined asks nothing. */
export function useAnswer<T>(question: Question | undefined): Asked<T> {
  const key = question && JSON.stringify(question);
  return useAsked(key, (api) => api.read<T>(question as Question));
}

/**
 * The same for what takes more than one question. `key` is another whenever the work is, and
 * undefined where there is none; the signal is aborted once nobody waits for it any more.
 */
export function useAsked<T>(
  key: string | undefined,
  work: (api: Api, signal: AbortSignal) => Promise<Answer<T>>,
): Asked<T> {
  const { api, turn, reportAway } = useContext(ServiceContext);
  const [asked, set] = useState<Asked<T>>(NOTHING);
  const latest = useRef(work);
  latest.current = work;
  // biome-ignore lint/correctness/useExhaustiveDependencies: everything is asked anew with a turn
  useEffect(() => {
    if (key === undefined) {
      set({ ...NOTHING, isLoading: false });
      return;
    }
    const wanted = new AbortController();
    set((before) => ({ ...before, isLoading: true }));
    latest.current(api, wanted.signal).then(
      ({ data, meta }) => {
        if (!wanted.signal.aborted) set({ data, meta, failure: undefined, isLoading: false });
      },
      (cause) => {
        if (wanted.signal.aborted) return;
        const failure = failureOf(cause);
        if (failure.kind === 'unauthorized') signOut(REFUSED);
        if (isAway(failure)) reportAway();
        // What was there stays while the service is away: it was true when it was answered.
        set(({ data, meta }) => ({
          ...(isAway(failure) ? { data, meta } : { data: undefined, meta: undefined }),
          failure,
          isLoading: false,
        }));
      },
    );
    return () => wanted.abort();
  }, [key, api, turn]);
  return asked;
}

export const REFUSED =
  'The service does not accept this token (any more): it may be revoked, expired or mistyped.';

const NOTHING = { data: undefined, meta: undefined, failure: undefined, isLoading: true };

/** Whether trying again later may help. */
export function isAway({ kind }: Failure): boolean {
  return kind === 'network' || kind === 'timeout' || kind === 'temporarily_unavailable';
}

export function failureOf(cause: unknown): Failure {
  if (cause instanceof TenorError) {
    const { kind, message, requestId } = cause;
    return { kind, message, requestId };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return { kind: 'broken', message, requestId: undefined };
}
