import type { Dataset } from '../catalogue/dataset.ts';
import type { Selection } from './selection.ts';

/** Reads, and has no way to write. */
export interface Reader {
  /** The newest revision; 0 before anything was published. */
  revision(): Promise<number>;
  /** The texts of the records that a selection finds, all from one revision. */
  read(selection: Selection): Promise<Reading>;
  close(): void;
}

export interface Reading {
  readonly revision: number;
  readonly count: number;
  /** The records' JSON texts in order, with a comma between them. */
  readonly records: string;
}

/** Makes revisions. One publisher at a time holds the store. */
export interface Publisher extends Within {
  /**
   * Runs the work while holding the store: all that it publishes lands together, or nothing. It
   * publishes through what it is given; the publisher itself waits until the work is done.
   */
  atomically<T>(work: (within: Within) => Promise<T>): Promise<T>;
  close(): void;
}

/** What can be done while holding the store. */
export interface Within {
  /** Publishes one change as one revision; undefined when it would change nothing. */
  publish(change: Change): Promise<Revision | undefined>;
  /** Every revision, oldest first. */
  revisions(): Promise<Revision[]>;
}

export interface Change {
  readonly dataset: Dataset;
  /** Records to add, or to put in the place of those with the same key. */
  readonly rows?: Iterable<Row>;
  /** Keys of records to take out of the current data. */
  readonly retired?: Iterable<Key>;
  /** Where the data came from: a file's name, or what made it. */
  readonly source: string;
  readonly author: string;
  /** Whether the data is made up. */
  readonly sample?: boolean;
  /** When it is published; the present where absent. Never before the revision it follows. */
  readonly at?: Date;
}

/** The values of a table's key columns, in the table's order. */
export type Key = readonly (string | number)[];

/** A record ready to be stored: the values of the table's columns, in order, and its text. */
export interface Row {
  readonly columns: readonly (string | number)[];
  readonly text: string;
}

export interface Revision {
  readonly revision: number;
  readonly dataset: string;
  readonly publishedAt: string;
  readonly source: string;
  readonly author: string;
  readonly sample: boolean;
  readonly added: number;
  readonly corrected: number;
  readonly retired: number;
  readonly unchanged: number;
}

/** Keeps tokens, as digests only. */
export interface TokenStore {
  all(): Promise<StoredToken[]>;
  /** Adds a token; nothing happens where its digest is known. */
  add(token: StoredToken): Promise<void>;
  /** Sets when a token stops being accepted. */
  end(id: string, at: { revokedAt: string } | { expiresAt: string }): Promise<void>;
  /** Records when tokens were last used; out of reach while a publisher holds the store. */
  touch(uses: ReadonlyMap<string, string>): Promise<void>;
  close(): void;
}

export interface StoredToken {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the token, in hexadecimal. */
  readonly digest: string;
  readonly scopes: readonly string[];
  readonly rate: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

/** The store cannot be opened as it is; the message is one line that a person can act on. */
export class StoreRefused extends Error {}

/** The store does not answer now; it may later. */
export class StoreUnavailable extends Error {}

/** A change that contradicts itself: one key given twice. */
export class DuplicateKey extends Error {}
