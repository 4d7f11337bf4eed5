import type { ChangeCounts } from './ledger.ts';

/**
 * Releases that are prepared, where no reader of the database sees them. Whoever adds or updates one
 * holds the write lock of the store; without it, there is only `updateUnchanged`.
 */
export interface CandidateStore {
  /** Oldest first: those that wait to be published, or all. */
  list(includesClosed?: boolean): Promise<Candidate[]>;
  find(id: number): Promise<Candidate | undefined>;
  /** Returns the number of the new candidate; one that it replaces is closed in the same transaction. */
  add(
    candidate: Omit<Candidate, 'id'>,
    parts: readonly CandidatePart[],
    closed?: Candidate,
  ): Promise<number>;
  /** Replaces what is said of a candidate, and its parts of some names. */
  update(candidate: Candidate, parts?: readonly CandidatePart[]): Promise<void>;
  /** Replaces what is said of an open candidate; returns whether it was still as it is known. */
  updateUnchanged(known: Candidate, candidate: Candidate): Promise<boolean>;
  /** The bytes of a part, in the order in which they were added. */
  readPart(id: number, name: string): AsyncIterable<Uint8Array>;
  /** How many approvals candidates of each dataset need; 0 for those that are not listed. */
  reviews(): Promise<ReadonlyMap<string, number>>;
  setReview(dataset: string, approvals: number): Promise<void>;
  /** Who runs this process, as the database or the system knows them. */
  findAccount(): Promise<string>;
  close(): void;
}

/** Bytes of a candidate: those of one name, together. */
export interface CandidatePart {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Candidate {
  readonly id: number;
  readonly state: 'staged' | 'published' | 'withdrawn';
  /** What is to be published: plain data, stored as JSON. */
  readonly input: { readonly kind: string };
  readonly bundle?: string | undefined;
  /** The instant of publication. */
  readonly due?: string | undefined;
  readonly note?: string | undefined;
  /** The name that revisions are published under. */
  readonly author: string;
  /** The account of who staged it. */
  readonly stagedBy: string;
  readonly stagedAt: string;
  /** Random, in hexadecimal: the salts of its revisions follow from it. */
  readonly salt: string;
  /** The newest revision when it was checked, and what it would have changed then. */
  readonly base: number;
  readonly changes: readonly CandidateChange[];
  readonly report: Readonly<Record<string, unknown>>;
  /** How long before its instant its publication must begin. */
  readonly leadMs: number;
  /** The time that it takes on idle cores; absent in candidates of earlier releases. */
  readonly workMs?: number;
  /** The newest revision that was compared with the records it touches. */
  readonly comparedWith: number;
  /** The revision that changed records which it touches, or for another reason, what it rests on. */
  readonly staleSince?: number | undefined;
  /** What that revision did to the declaration of a dataset; absent if it changed records. */
  readonly staleReason?: string | undefined;
  readonly approvals: readonly { readonly by: string; readonly at: string }[];
  /** Why it could not be published at its instant; it is not tried again unless somebody asks. */
  readonly problem?: string | undefined;
  /** What became of it. */
  readonly closed?: {
    readonly by: string;
    readonly at: string;
    readonly revisions?: readonly number[];
  };
}

/** What a candidate changes in one dataset. */
export interface CandidateChange extends ChangeCounts {
  readonly dataset: string;
  /** Of the lines of the changes, as the log has it. */
  readonly digest: string;
  /** Whether all records that it does not have are retired. */
  readonly replace: boolean;
  /** The datasets whose declarations it changes. */
  readonly declared?: readonly string[];
}
