import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { TenorError } from '../../../clients/typescript/src/errors.ts';
import type { Answer, Question } from './api.ts';
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
  const { api, turn, reportAway } = useContext(ServiceContext);
  const [asked, set] = useState<Asked<T>>(NOTHING);
  const key = question && JSON.stringify(question);
  const latest = useRef(question);
  latest.current = question;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a question is known by its text
  useEffect(() => {
    if (!latest.current) {
      set({ ...NOTHING, isLoading: false });
      return;
    }
    let isWanted = true;
    set((before) => ({ ...before, isLoading: true }));
    api.read<T>(latest.current).then(
      ({ data, meta }) => {
        if (isWanted) set({ data, meta, failure: undefined, isLoading: false });
      },
      (cause) => {
        if (!isWanted) return;
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
    return () => {
      isWanted = false;
    };
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
  return { kind: 'broken', message: String(cause), requestId: undefined };
}
