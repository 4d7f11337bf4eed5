import type { Dataset } from '../catalogue/model/dataset.ts';
import type { TextChange } from './change-lines.ts';
import type { StoreBusyError } from './errors.ts';
import type {
  ChangeCounts,
  LedgerKey,
  Revision,
  RevisionOptions,
  RevisionReport,
  SourceFile,
} from './ledger.ts';
import type { StoreQueries } from './reader.ts';
import type { Batches, EncodedRow, RecordKey } from './rows.ts';

/** Publishes revisions. One publisher at a time has the write lock of a store. */
export interface Publisher
  extends Pick<PublishTransaction, 'publish' | 'revisions' | 'replaceLedgerKey' | 'applyRevision'> {
  /**
   * Commits all that the callback publishes, or nothing if it throws or abandons the transaction;
   * other calls wait until it is done. The callback is run again, in a new transaction, if locks
   * of other sessions ended its transaction.
   */
  transaction<T>(
    callback: (transaction: PublishTransaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  close(): void;
}

export interface TransactionOptions {
  /** Whether it is abandoned in any case. It needs no write lock, except on Citus. */
  readonly isDryRun?: boolean | undefined;
}

/** The key that a log of the ledger is to have from now on. */
export interface KeyReplacement {
  /** The name of a new log; that of the log by default. */
  readonly name?: string;
  /** The size up to which both logs are the same; by default, that of a restored copy, or of the log. */
  readonly size?: number;
  /** Whether the key before was lost, so that it signs nothing. */
  readonly isLost?: boolean;
}

/** How long a publisher waits for the write lock, and retries if other locks are in its way. */
export interface LockWaitOptions {
  /** After this time a StoreBusyError is thrown. */
  readonly waitMs?: number;
  /** Called once, if another publisher has the lock, or other sessions have locks. */
  readonly onWait?: (cause: StoreBusyError) => void;
  readonly signal?: AbortSignal;
}

export interface PublisherOptions extends LockWaitOptions {
  /** Whether a clock is accepted that is off that of the store or behind the last revision. */
  readonly allowsClockSkew?: boolean;
  /** Called if the last revision is more than a year old, since the clock may be wrong. */
  readonly onClockJump?: (message: string) => void;
  /** Called if the database is a copy that was restored, and nothing was published to it yet. */
  readonly onRestored?: (message: string) => void;
  /** The name of the ledger's log, if this publisher creates it; made up by default. */
  readonly ledgerName?: string | undefined;
  /** The 16 bytes that keep the digest of a revision from being guessed; random by default. */
  readonly createSalt?: () => Uint8Array;
}

/** Publishes and reads with the write lock. Reads include what the transaction has written. */
export interface PublishTransaction extends StoreQueries {
  /**
   * Publishes one change as one revision; undefined when it would change nothing. If it fails, the
   * transaction fails too, even if the callback goes on.
   */
  publish(change: DatasetChange): Promise<Revision | undefined>;
  /** Writes the rows of one change; all that are staged are recorded in their order, or abandoned. */
  stage(change: Omit<DatasetChange, 'report'>): Promise<StagedChange>;
  /** Rolls back all that was published, once the callback has returned. */
  abandon(): void;
  /**
   * Publishes the next revision of another database under its number and instant. Throws a
   * FollowError if it does not fit its log, or what was applied before.
   */
  applyRevision(followed: FollowedRevision): Promise<void>;
  /** Lets a new key sign the log of the ledger, or begins a new log. */
  replaceLedgerKey(replacement: KeyReplacement): Promise<LedgerKey>;
  /** The clock that dates revisions, in milliseconds. */
  readClock(): Promise<number>;
  hasCurrentRecord(dataset: Dataset, key: RecordKey): Promise<boolean>;
  /** The ordinals of the periods that current records of a series have, newest first. */
  currentPeriods(dataset: Dataset): Promise<readonly number[]>;
  /** With `onlyUnchanged`, only of records that no later revision has changed. */
  planRevert(dataset: Dataset, revision: number, onlyUnchanged?: boolean): Promise<RevertPlan>;
}

export interface DatasetChange {
  readonly dataset: Dataset;
  /** Records to add, or to replace those with the same key. */
  readonly rows?: Batches<EncodedRow>;
  readonly retiredKeys?: Iterable<RecordKey> | AsyncIterable<RecordKey>;
  /** Whether records that are not among the rows are retired as well. */
  readonly replace?: boolean;
  /** Where the data came from: a file's name, or what generated it. */
  readonly source: string;
  readonly files?: readonly SourceFile[];
  readonly options?: RevisionOptions;
  readonly author: string;
  readonly sample?: boolean;
  readonly report?: RevisionReport;
  /**
   * A made-up instant of publication, but never before that of the last revision. By default it is
   * the present, as late as possible before the commit, and always after the last revision.
   */
  readonly at?: Date;
  /** The publisher waits for this instant, by the clock that dates revisions, before it commits. */
  readonly notBefore?: Date | undefined;
  /** Whether it is abandoned afterwards, so that nothing is waited for. */
  readonly isDryRun?: boolean;
  /** Called with the texts of each record that is changed, in whatever order. */
  readonly onChange?: ((change: TextChange) => void) | undefined;
  /** Called with each row whose key came earlier in the same change; by default that throws. */
  readonly onDuplicateKey?: (row: EncodedRow) => void;
}

/** A revision of another database, as its log has it; the newest again to take over a checkpoint. */
export interface FollowedRevision {
  readonly revision: number;
  /** What the log has a digest of, and the lines of the changes; absent if they may not be read. */
  readonly entry?: string;
  readonly lines?: Batches<string>;
  /** If they may not be read: the digest in the log, and when the revision was published. */
  readonly digest?: Uint8Array;
  readonly publishedAt?: string;
  /** The note that was signed for the log that ends with it; its signature is verified. */
  readonly checkpoint: string;
  /** The keys up to the one that signed it, oldest first; their notes are verified. */
  readonly keys: readonly LedgerKey[];
}

/** A change whose rows are written, and that no entry of the ledger names yet. */
export interface StagedChange {
  /** The number of the revision, if the change is not empty. */
  readonly revision: number;
  readonly counts: ChangeCounts;
  /** The digest of the lines of its changes, as the log has it. */
  readonly digest: string;
  /** How many quotes of days before this one got another text. */
  countCorrected(before: string | number): Promise<number>;
  /** Of a series only. */
  readonly series: StagedSeries;
  /** Enters the change in the ledger; undefined when it changed nothing. */
  record(report?: RevisionReport, entry?: RecordedEntry): Promise<Revision | undefined>;
}

/** What is known of an entry only when all changes of the transaction are staged. */
export interface RecordedEntry extends Pick<DatasetChange, 'at' | 'notBefore' | 'options'> {
  /** What keeps the digest of the entry from being guessed; 16 random bytes by default. */
  readonly salt?: Uint8Array;
}

/** What a change did to a series, as sets that the database finds. */
export interface StagedSeries {
  /** The revision that is being made, which the records that it changed have. */
  readonly revision: number;
  /** Each record that it changed, with those before and after it in its series. */
  neighbours(): AsyncIterable<readonly NeighbourRow[]>;
  /** The records whose figures it corrected. */
  corrected(): AsyncIterable<readonly CorrectedRow[]>;
  /** How many records the periods between two places had before, by place. */
  countByPeriod(range: readonly [number, number]): Promise<ReadonlyMap<number, number>>;
}

/** A record that a revision changed, or a neighbour of one, as it is now. */
export interface NeighbourRow {
  readonly record: string;
  readonly place?: number;
  /** The records before and after it in its series; absent if all records come one after the other. */
  readonly previous?: string | null;
  readonly next?: string | null;
  /** The revision that published it. */
  readonly since: number;
}

/** A record that a revision corrected. */
export interface CorrectedRow {
  readonly place: number;
  readonly old: string;
  readonly new: string;
  /** Whether an even earlier version was the same as the new one. */
  readonly isReverted: boolean | number;
}

/** The change that reverts a revision, and what it would overwrite. */
export interface RevertPlan extends Required<Pick<DatasetChange, 'rows' | 'retiredKeys'>> {
  /** Later revisions that changed the same records, oldest first. */
  readonly conflictingRevisions: readonly number[];
}
