import type { Jobs } from './jobs.ts';

/** A job's name, of those with one result. */
export type CallName = Exclude<keyof Jobs, 'exportFile'>;

/** Messages to the background thread. */
export type ThreadRequest =
  /** The newest revision that any response was made from comes along. */
  | {
      readonly kind: 'call' | 'stream';
      readonly id: number;
      readonly name: keyof Jobs;
      readonly job: unknown;
      readonly newestSeen: number;
    }
  /** Requests the next chunk of a stream. */
  | { readonly kind: 'next'; readonly id: number }
  /** The client has gone. */
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close' };

/** Messages from the background thread. A stream ends with an undefined value. */
export type ThreadResponse = { readonly id: number } & (
  | { readonly value: unknown; readonly newestSeen: number }
  | { readonly error: ThreadError }
);

/** An error, in the terms that both threads share. */
export interface ThreadError {
  readonly kind: 'abandoned' | 'unavailable' | 'unexpected';
  readonly message: string;
}
