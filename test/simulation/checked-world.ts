import type { Model } from './model.ts';
import type { Random } from './random.ts';

/** What clients and checks use of a world: of a simulated one, or of one of real processes. */
export interface CheckedWorld {
  readonly scheduler: {
    readonly nowMs: number;
    readonly random: Random;
    /** Adds a line to what happened. */
    note(text: string | (() => string)): void;
    wait(delayMs: number, label: string): Promise<void>;
    after(delayMs: number, label: string, run: () => void): unknown;
  };
  readonly database: CheckedDatabase;
  readonly servers: readonly CheckedServer[];
  /** How far clocks were set in all, forward and back. */
  readonly clockChangeMs: number;
  nextRequestId: number;
  /** Something does not hold. */
  fail(property: string, message: string): void;
  /** Whether there was no fault between two times; of those kinds, where they are given. */
  isCalm(fromMs: number, toMs: number, kinds?: readonly string[]): boolean;
  /** Whether there was enough time without faults, between two times, for a change to be noticed. */
  isNoticed(changeMs: number, atMs: number, withinMs: number): boolean;
}

interface CheckedServer {
  /** Rejects with a TypeError where the connection fails. The worker is any, unless it is given. */
  fetch(request: Request, worker?: number): Promise<Response>;
}

/** What is known of a database that is served. */
export interface CheckedDatabase {
  /** The models that a response with a revision may be of, by when it was requested and received. */
  findModels(revision: number, startedMs: number, receivedMs: number): readonly Model[];
  /** The oldest revision that may be in a response to a request of that time. */
  findRequiredRevision(startedMs: number): number;
  /** The revision that copies begin with, of which the model has no record; by default none. */
  readonly firstRevision?: number;
  /** The newest model: at the end everything is to have it. */
  readonly newest: Model;
  /** Whether a response may be made from parts of two databases. */
  isTorn(startedMs: number, receivedMs: number): boolean;
  /** Whether another database may have been seen at or after a time: then revisions start anew. */
  isReplacedSince(ms: number): boolean;
}
