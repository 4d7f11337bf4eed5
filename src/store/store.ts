import type { Dataset } from '../catalogue/model/dataset.ts';
import type { FundSummary, SecuritySummary } from '../catalogue/operations/discovery.ts';
import type { CursorPosition, Selection } from './selection.ts';

/** A store whose schema is up to date; each part is a connection of its own. */
export interface Store {
  /** Where the token of whoever starts a server on this machine is kept. */
  readonly localTokenFile: string;
  reader(): StoreReader;
  publisher(patience?: LockWaitOptions): Publisher;
  inspector(): StoreInspector;
  tokens(): TokenStore;
}

/** How to reach a store, where there is more to it than one address. */
export interface StoreConnectionOptions {
  /** Servers that follow the one at the address, and may be read from. */
  readonly replicas?: readonly string[];
  /** How many connections to each server readers share. */
  readonly poolSize?: number;
  /** Told when a server is found in another condition than before. */
  readonly onHealthChange?: OnServerHealthChange;
}

/** How a store is brought up to date. */
export interface MigrateOptions {
  /** Whether it is only told what would be run. */
  readonly isDryRun?: boolean;
  /** Whether its records are to be spread over the machines of a cluster. */
  readonly distribute?: boolean;
}

/** How a server is found: fit to be read from, silent, too old, or with a history of its own. */
export type ServerHealth = 'fit' | 'gone' | 'behind' | 'diverged';

/** Told when a server's condition has changed, and why it does not answer, where it does not. */
export type OnServerHealthChange = (
  server: string,
  condition: ServerHealth,
  cause?: string,
) => void;

/** Reads, and has no way to write. */
export interface StoreReader extends StoreQueries {
  /** What this store signs with; the same for every server on it, and never sent anywhere. */
  secret(): Promise<Uint8Array>;
  close(): void;
}

/** What can be asked of the data and its ledger. */
export interface StoreQueries {
  /** The newest revision; 0 before anything was published. */
  revision(): Promise<number>;
  /** The newest revision that was published by that instant; undefined before the first. */
  revisionAt(instant: string): Promise<Revision | undefined>;
  /** The texts of the records that a selection finds, all from one revision. */
  read(selection: Selection): Promise<ReadResult>;
  /** Every record of a dataset in the order of answers, in batches of texts, all from one revision. */
  records(dataset: Dataset, asOf?: number): AsyncIterable<readonly string[]>;
  /** Revisions, newest first. */
  revisions(which?: RevisionFilter): Promise<Revision[]>;
  /** One revision with its report; undefined where there is none of that number. */
  ledgerEntry(revision: number): Promise<LedgerEntry | undefined>;
  /** What a revision did to the records of its dataset: corrections, retirements, additions. */
  changes(dataset: Dataset, revision: number, limit: number): Promise<RecordChange[]>;
  /** What stood before: records that were corrected or retired, newest revision first, then by key. */
  corrections(
    dataset: Dataset,
    which: CorrectionFilter,
    asOf?: number,
  ): Promise<RevisionedList<Correction>>;
  /** How far each of the datasets reaches, in the order in which they are given. */
  coverage(datasets: readonly Dataset[], asOf?: number): Promise<RevisionedList<Coverage>>;
  /** Every security that a dataset has quotes of, by symbol. */
  securities(dataset: Dataset, asOf?: number): Promise<RevisionedList<SecuritySummary>>;
  /** Every fund of a dataset, by identifier. */
  funds(dataset: Dataset, asOf?: number): Promise<RevisionedList<FundSummary>>;
}

/** What was found, all from one revision. */
export interface RevisionedList<T> {
  readonly revision: number;
  readonly entries: readonly T[];
}

/** How far a dataset reaches, and what made it what it is. */
export interface Coverage {
  readonly dataset: Dataset;
  /** The first and the last date, or the labels of the first and the last period. */
  readonly first: string | null;
  readonly last: string | null;
  /** How many records there are. */
  readonly count: number;
  /** The last revision that changed it; null where there was none. */
  readonly lastRevision: Pick<Revision, 'revision' | 'publishedAt' | 'source' | 'sample'> | null;
}

export interface ReadResult {
  readonly revision: number;
  readonly count: number;
  /** The records' JSON texts in order, with a comma between them; or a new line, if so asked. */
  readonly records: string;
  /** The last record's place, where more match than the limit let through. */
  readonly lastPosition?: CursorPosition;
  /** How many match in all, where that was asked for. */
  readonly total?: number;
}

export interface RevisionFilter {
  /** Names of datasets; all where absent. */
  readonly datasets?: readonly string[];
  /** Only revisions before this one. */
  readonly before?: number;
  readonly limit?: number;
}

/** What a revision did to one record; the texts before and after it. */
export interface RecordChange {
  readonly change: 'corrected' | 'retired' | 'added';
  readonly old: string | null;
  readonly new: string | null;
}

/** Which corrections of a dataset are meant. */
export interface CorrectionFilter {
  /** A symbol, or an ISIN that stood in the record; a symbol that there ever was wins. */
  readonly security?: string;
  /** First and last day of the records, inclusive. */
  readonly from?: string;
  readonly to?: string;
  /** Identifier of a fund. */
  readonly fund?: string;
  /** Only those of revisions before this one. */
  readonly before?: number;
  /** How many of the first are left out. */
  readonly offset?: number;
  readonly limit: number;
}

/** A record that stood, and what a revision put in its place. */
export interface Correction {
  readonly revision: number;
  readonly publishedAt: string;
  readonly change: 'corrected' | 'retired';
  readonly old: string;
  /** Null where it was retired. */
  readonly new: string | null;
}

/** Makes revisions. One publisher at a time holds the store. */
export interface Publisher extends Pick<PublishTransaction, 'publish' | 'revisions'> {
  /**
   * Runs the work while holding the store: all that it publishes lands together, or nothing. It
   * publishes through what it is given; the publisher itself waits until the work is done.
   */
  transaction<T>(callback: (transaction: PublishTransaction) => Promise<T>): Promise<T>;
  close(): void;
}

/** How a publisher waits for another one. */
export interface LockWaitOptions {
  /** How long, at the most; then the store is busy. */
  readonly waitMs?: number;
  /** Told once, when there is somebody to wait for. */
  readonly onWait?: () => void;
  /** Ends the wait at once where it is aborted, with its reason. */
  readonly signal?: AbortSignal;
}

/** What can be done while holding the store. Reads see what the work has done so far. */
export interface PublishTransaction extends StoreQueries {
  /** Publishes one change as one revision; undefined when it would change nothing. */
  publish(change: DatasetChange): Promise<Revision | undefined>;
  /** Whether a record with that key stands. */
  hasCurrentRecord(dataset: Dataset, key: RecordKey): Promise<boolean>;
  /** The change that undoes a revision, and the later revisions that are in its way. */
  planRevert(dataset: Dataset, revision: number): Promise<RevertPlan>;
  /** The terms that stand for a dataset's securities, by folded symbol. */
  terms(dataset: Dataset): Promise<ReadonlyMap<string, SecurityTerms>>;
}

export interface DatasetChange {
  readonly dataset: Dataset;
  /** Records to add, or to put in the place of those with the same key, in batches. */
  readonly rows?: Batches<EncodedRow>;
  /** Keys of records to take out of the current data. */
  readonly retiredKeys?: Iterable<RecordKey> | AsyncIterable<RecordKey>;
  /** Whether records that are not among the rows are taken out as well. */
  readonly replace?: boolean;
  /** Where the data came from: a file's name, or what made it. */
  readonly source: string;
  /** The files that it was read from, if it was. */
  readonly files?: readonly SourceFile[];
  readonly author: string;
  /** Whether the data is made up. */
  readonly sample?: boolean;
  /** When it is published; the present where absent. Never before the revision it follows. */
  readonly at?: Date;
  /** Told of each row whose key came before in the same change; without it, that is refused. */
  readonly onDuplicateKey?: (row: EncodedRow) => void;
  /** Asked once all rows are in. What it gives is kept with the revision; throwing undoes all. */
  readonly finalize?: (counts: ChangeCounts) => Promise<RevisionExtras>;
}

/** What is kept with a revision beside its records. */
export interface RevisionExtras {
  readonly report?: RevisionReport;
  /** Terms of securities that are new or changed, by folded symbol; null for those to forget. */
  readonly terms?: ReadonlyMap<string, SecurityTerms | null>;
}

/** Values in batches, so that what is asynchronous costs once for many of them. */
export type Batches<T> = Iterable<readonly T[]> | AsyncIterable<readonly T[]>;

/** A change as plain data, and what it would overwrite. */
export interface RevertPlan extends Required<Pick<DatasetChange, 'rows' | 'retiredKeys'>> {
  /** The terms that stood before, of securities whose terms are as the revision left them. */
  readonly terms: ReadonlyMap<string, SecurityTerms | null>;
  /** Later revisions whose work stands in the same records, oldest first. */
  readonly conflictingRevisions: readonly number[];
}

/** The values of a table's key columns, in the table's order. */
export type RecordKey = readonly (string | number)[];

/** A record ready to be stored: the values of the table's columns, in order, and its text. */
export interface EncodedRow {
  readonly columns: readonly (string | number)[];
  readonly json: string;
}

export interface SourceFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What was noticed about a change: plain data, kept as JSON. */
export type RevisionReport = Readonly<Record<string, unknown>>;

export interface ChangeCounts {
  readonly added: number;
  readonly corrected: number;
  readonly retired: number;
  readonly unchanged: number;
}

export interface Revision extends ChangeCounts {
  readonly revision: number;
  readonly dataset: string;
  readonly publishedAt: string;
  readonly source: string;
  readonly files: readonly SourceFile[];
  readonly author: string;
  readonly sample: boolean;
}

export interface LedgerEntry extends Revision {
  readonly report: RevisionReport;
}

/** What a security is priced with beyond its quotes. */
export interface SecurityTerms {
  readonly couponRate: number | null;
  readonly couponFrequency: number | null;
  readonly pricing: string | null;
}

/** Looks behind what is served: for the check of a whole database. */
export interface StoreInspector {
  /** What is wrong with the file and its tables; empty when nothing is. */
  findStructureFaults(): Promise<string[]>;
  /** Every row of a dataset, standing and past, by key and then by age. */
  rows(dataset: Dataset): AsyncIterable<readonly StoredRow[]>;
  /** Every entry of the ledger with its checksum, oldest first; null from before there were any. */
  ledger(): Promise<readonly (LedgerEntry & RevisionSeal)[]>;
  /** Every version of what a dataset keeps beside its records, in the same way. */
  auxiliaryRows(dataset: Dataset): AsyncIterable<readonly StoredRow[]>;
  close(): void;
}

export interface StoredRow extends EncodedRow {
  readonly since: number;
  /** The revision that replaced or retired it; null where it stands. */
  readonly until: number | null;
}

export interface RevisionSeal {
  /** The newest day among the dataset's records after the revision; null where it has no days. */
  readonly newest: string | null;
  readonly checksum: string | null;
}

/** Keeps tokens, as digests only. */
export interface TokenStore {
  all(): Promise<StoredToken[]>;
  /** Adds a token; nothing happens where its digest is known. Busy while a publisher is at work. */
  add(token: StoredToken): Promise<void>;
  /** Sets when a token stops being accepted. Busy while a publisher is at work. */
  setEnd(id: string, at: { revokedAt: string } | { expiresAt: string }): Promise<void>;
  /** Records when tokens were last used; out of reach while a publisher holds the store. */
  recordLastUsed(uses: ReadonlyMap<string, string>): Promise<void>;
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
export class StoreUnusableError extends Error {}

/** The store does not answer now; it may later. */
export class StoreUnavailableError extends Error {}

/** Another publisher held the store for longer than there was patience. */
export class StoreBusyError extends StoreUnavailableError {}

/** A change that contradicts itself: one key given twice. */
export class DuplicateKeyError extends Error {}
