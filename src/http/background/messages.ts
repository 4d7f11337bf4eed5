import type { ExportJob, Jobs } from './jobs.ts';

/** A job's name, of those with one result. */
export type CallName = Exclude<keyof Jobs, 'exportFile'>;

/** Messages to the background thread; `newestSeen` is the newest revision of any response. */
export type ThreadRequest =
  | CallRequest
  | StreamRequest
  | NextRequest
  | CancelRequest
  | CloseRequest;

export interface CallRequest {
  readonly kind: 'call';
  readonly id: number;
  readonly name: CallName;
  readonly job: unknown;
  readonly newestSeen: number;
}

export interface StreamRequest {
  readonly kind: 'stream';
  readonly id: number;
  readonly job: ExportJob;
  readonly newestSeen: number;
}

/** Requests the next chunk of a stream. */
interface NextRequest {
  readonly kind: 'next';
  readonly id: number;
}

/** The client has gone. */
interface CancelRequest {
  readonly kind: 'cancel';
  readonly id: number;
}

interface CloseRequest {
  readonly kind: 'close';
}

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
