import type { DeclaredDatasets } from '../catalogue/catalogues.ts';
import type { CouponRate } from '../catalogue/datasets/coupon-rates.ts';
import type { Holiday } from '../catalogue/datasets/holidays.ts';
import type { SecurityRecord } from '../catalogue/datasets/securities.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import type { NewestData } from '../catalogue/model/next-due.ts';
import type { Hash } from '../ledger/tree.ts';
import type { FundSummary } from '../operations/funds/funds-operation.ts';
import type { SecuritySummary } from '../operations/securities/securities-operation.ts';
import type { Awaitable } from '../shared/awaitable.ts';
import type { TextChange } from './change-lines.ts';
import type { DataOrigin, LedgerEntry, LedgerKey, Revision } from './ledger.ts';
import type { RecordKey } from './rows.ts';
import type { ServerStatus } from './server-status.ts';
import type { Dialect } from './sql/dialect.ts';

export type Selection = RecordSelection | ObservationSelection | QuoteSelection;

interface SelectionOptions {
  readonly dataset: Dataset;
  /** A revision; the current records if absent. */
  readonly asOf?: number;
  /** Whether records are separated by newlines rather than commas. */
  readonly asNdjson?: boolean;
  /** Whether all matches are counted, beyond the limit. */
  readonly includeTotal?: boolean;
}

/** All records of a dataset in their order, or those with some identifiers. */
export interface RecordSelection extends SelectionOptions {
  readonly kind: 'records';
  /** In any letter case; all if absent. */
  readonly identifiers?: readonly string[];
}

/** Up to so many series are found by an index; more, or parts of their keys, among all records. */
export const MAX_SEARCHED_SERIES = 50;

/** Records of a series by period and dimension values. */
export interface ObservationSelection extends SelectionOptions {
  readonly kind: 'observations';
  /** Ordinals of the first and last period, inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** Values of each dimension, in the order of the declaration; all if they are absent. */
  readonly dimensions?: readonly (readonly string[] | undefined)[];
  /** Whether the status follows each record. */
  readonly includesStatus?: boolean;
  readonly limit: number;
  readonly isOldestFirst?: boolean;
  /** Whether series follow one another, each from its oldest period; keys then begin with dimension values. */
  readonly isBySeries?: boolean;
  /** Only the records after this key in their order. */
  readonly after?: RecordKey;
}

/** Ordinals of the first and last period, inclusive, and how many of them at most. */
export interface PeriodRange extends Pick<ObservationSelection, 'from' | 'to'> {
  readonly limit?: number;
  /** Only days with quotes of one of these types. */
  readonly types?: readonly string[];
  /** Only periods with a figure: of some, all may be blank. */
  readonly hasFigure?: true;
}

/** The filters that quotes must all meet. */
export interface QuoteFilters {
  /** A symbol or an ISIN; a symbol wins. */
  readonly security?: string;
  /** Several of them, instead of one, none twice in any case: the union of what each selects alone. */
  readonly securities?: readonly string[];
  readonly type?: string;
  /** Only these types. */
  readonly types?: readonly string[];
}

export interface QuoteSelection extends SelectionOptions, QuoteFilters {
  readonly kind: 'quotes';
  /** First and last day, inclusive; by default the newest day that has a match. */
  readonly dateRange?: readonly [from: string, to: string];
  /** Without a date range: a day that no match is newer than. */
  readonly notAfter?: string;
  readonly limit: number;
  /** Whether the order is reversed: oldest day first; needs a date range. */
  readonly isOldestFirst?: boolean;
  /**
   * Only the records after this key in their order; needs a date range or securities. The key of a
   * selection of one security ends with the column that it was found by.
   */
  readonly after?: RecordKey;
}

export type SecurityKeyColumn = 'symbol_key' | 'isin_key';

export interface ReaderOptions {
  /** Whether requests wait while it does: then it gives up a locked SQLite file in milliseconds. */
  readonly isServing?: boolean;
  /** Whether the store follows another, which may have published already what comes here later. */
  readonly isFollowing?: boolean | undefined;
}

/** A file by what stays the same until another one takes its path. */
export type FileIdentity = Readonly<Record<'dev' | 'ino', number>>;

/** The file of a SQLite store, or the servers of a PostgreSQL one; can be sent between threads. */
export type ReaderSource =
  /** Only that file, if it is given, and none that has taken its path. */
  | { readonly path: string; readonly file?: FileIdentity }
  /** Only that history, if its identifier is given, and none that has taken its place. */
  | { readonly urls: readonly string[]; readonly dialect: Dialect; readonly storeId?: string };

/** A revision, and its checksum, which differs between histories. */
export interface RevisionIdentity {
  readonly revision: number;
  readonly checksum: string;
}

export const NO_REVISION: RevisionIdentity = { revision: 0, checksum: '' };

/** The newest revision that a reader knows of, and the newest whose checksum it knows. */
export interface SeenRevision {
  readonly revision: number;
  readonly identity: RevisionIdentity;
}

export const NOTHING_SEEN: SeenRevision = { revision: 0, identity: NO_REVISION };

/** Reads, and has no way to write. */
export interface StoreReader extends StoreQueries {
  /** Where another thread opens what this one reads; the source of its store if it is absent. */
  source?(): ReaderSource;
  /** The key that signs cursors; the same for every server on this store, and never sent. */
  secret(): Promise<Uint8Array>;
  /**
   * The newest revision, if another process has seen this one: read from a file, which has it
   * unless it was overwritten since; but of servers, the one that is read may be behind.
   */
  confirmRevision(seen: number): number;
  /** The newest revision of any result; 0 if results never go back to an older one. */
  newestSeen(): SeenRevision;
  /**
   * Another reader saw this revision: no later result is from an older one. Throws a
   * StoreUnavailableError if the identity is not of the history that is read.
   */
  observeRevision(revision: number, identity?: RevisionIdentity): Awaitable<void>;
  /** The newest revision that was lost, and given up by an operator; 0 if there was none. */
  lostRevision(): number;
  /** The servers of the database, by their last heartbeats; empty for a file. */
  servers(): readonly ServerStatus[];
  /**
   * Whether the URL still leads to the database that is read: a file may be replaced or restored,
   * and revisions that were lost with a server may be given up.
   * The first call records what is read. Throws if it leads to none that can be used.
   */
  isCurrent(): boolean;
  close(): void;
}

export interface StoreQueries {
  /** The declarations that hold at a revision: those that are known, if they do. */
  declarations(revision: number, known?: DeclaredDatasets): Awaitable<DeclaredDatasets>;
  /** The newest revision; 0 before the first. */
  revision(): Promise<number>;
  /** The newest revision that was published by that instant; waits for one that may be. */
  revisionAt(instant: string): Promise<RevisionAt>;
  /** The records that match a selection, all from one revision. */
  read(selection: Selection): Awaitable<ReadResult>;
  /** The periods, or the days of quotes, that have any record: their ordinals, newest first. */
  periods(dataset: Dataset, range: PeriodRange, asOf?: number): Promise<readonly number[]>;
  /** The values of each dimension of a series that any record has, in byte order. */
  dimensionValues(dataset: Dataset, asOf?: number): Promise<readonly (readonly string[])[]>;
  /** The days of quotes that changed between two revisions, with the last change of each. */
  dayVersions(dataset: Dataset, filter: DayVersionsFilter): Promise<readonly DayVersion[]>;
  /** Every record of a dataset as JSON, in the order of responses, all from one revision. */
  records(dataset: Dataset, asOf?: number): AsyncIterable<readonly string[]>;
  revisions(filter?: RevisionFilter): Promise<Revision[]>;
  /** One revision with its report; undefined if there is none of that number. */
  ledgerEntry(revision: number): Promise<LedgerEntry | undefined>;
  /** Where the data of a dataset came from up to a revision, newest first: the sample, some others. */
  origins(dataset: string, revision: number, limit: number): Promise<DataOrigin[]>;
  /** Changes by a revision to the records of its dataset: corrections, retirements, additions. */
  changes(
    dataset: Dataset,
    revision: number,
    limit: number,
    after?: ChangePosition,
  ): Promise<readonly RecordChange[]>;
  /** The records that differ between two revisions, in the order of responses. */
  netChanges(dataset: Dataset, filter: NetChangesFilter): Promise<NetChanges>;
  /** Records that were corrected or retired, newest revision first, then by key. */
  corrections(
    dataset: Dataset,
    filter: CorrectionFilter,
    asOf?: number,
  ): Promise<RevisionedList<Correction>>;
  /** Every published state of the records of a selection, in their order, then by revision. */
  vintages(filter: VintageFilter, asOf?: number): Promise<RevisionedList<Vintage>>;
  coverage(datasets: readonly Dataset[], asOf?: number): Promise<RevisionedList<Coverage>>;
  /**
   * Which series of a dataset have a figure at a previous place, but none at a place; without a place,
   * all that have a record there. A record whose figures are all blank is none of a series.
   */
  missingSeries(
    dataset: Dataset,
    place: number | undefined,
    previousPlace: number,
  ): Promise<MissingSeries>;
  securities(dataset: Dataset, asOf?: number): Promise<RevisionedList<SecuritySummary>>;
  funds(dataset: Dataset, asOf?: number): Promise<RevisionedList<FundSummary>>;
  /** The known terms of securities, by symbol, the holidays of their calendars, and the rates of floaters. */
  securityTerms(asOf?: number): Promise<SecurityTerms>;
  /**
   * The checkpoint of the ledger's log, a signed note: the newest, or that of a size. Undefined if
   * there is no log, or none of that size.
   */
  checkpoint(size?: number): Promise<string | undefined>;
  /** Hashes of full subtrees of a level, from a position on: those that there are, up to a number. */
  treeHashes(level: number, position: number, count: number): Promise<readonly Hash[]>;
  /** The keys that have signed the log, oldest first. */
  ledgerKeys(): Promise<readonly LedgerKey[]>;
  /** What the log has of a revision; undefined if it has nothing. */
  logEntry(revision: number): Promise<StoredLogEntry | undefined>;
  /** The revision after another one whose entry in the log has a salt, in hexadecimal. */
  findBySalt(salt: string, after: number): Promise<number | undefined>;
}

export interface StoredLogEntry {
  /** Null if this database has only the digest, of the one that it follows. */
  readonly text: string | null;
  /** SHA-256 of the text. */
  readonly digest: Hash;
}

/** The name of a security, and terms that its price and yield are computed with, by its symbol in upper case. */
export type SecurityTermsEntry = Omit<SecurityRecord, 'issuer'>;

export interface SecurityTerms extends RevisionedList<SecurityTermsEntry> {
  readonly holidays: readonly Holiday[];
  readonly couponRates: readonly CouponRate[];
}

export interface RevisionAt {
  /** Undefined before the first. */
  readonly revision: Revision | undefined;
  /** Whether it is the same for ever: not for an instant in the future. */
  readonly isFinal: boolean;
}

/** A list whose entries are all from one revision. */
export interface RevisionedList<T> {
  readonly revision: number;
  readonly entries: readonly T[];
}

export interface Coverage extends NewestData {
  /** The first date, or the label of the first period; null if the dataset is empty. */
  readonly first: string | null;
  readonly count: number;
  /** The last revision that changed it; null if there was none. */
  readonly lastRevision: Pick<Revision, 'revision' | 'publishedAt' | 'source' | 'sample'> | null;
}

export interface MissingSeries {
  /** How many series have a figure at the previous place. */
  readonly expected: number;
  /** The dimension values of those that have none at the place. */
  readonly missing: readonly (readonly string[])[];
}

export interface DayVersionsFilter {
  /** Changes count that were made after this revision, up to that one. */
  readonly since: number;
  readonly until: number;
  /** First and last day, inclusive; all if absent. */
  readonly days?: readonly [from: string, to: string];
}

/** The last revision that changed the records of a day. */
export interface DayVersion extends Pick<Revision, 'revision' | 'publishedAt'> {
  readonly date: string;
}

export interface ReadResult {
  readonly revision: number;
  readonly count: number;
  /** The records as JSON, separated by commas, or by newlines with `asNdjson`. */
  readonly records: string;
  /** The last record's key, if more match than the limit. */
  readonly lastKey?: RecordKey | undefined;
  /** How many records match in all, with `includeTotal`. */
  readonly total?: number | undefined;
}

export interface RevisionFilter {
  /** Names of datasets; all if absent. */
  readonly datasets?: readonly string[];
  readonly before?: number;
  readonly limit?: number;
}

/** A change of one record by a revision; its JSON before and after. */
export interface RecordChange {
  readonly change: 'corrected' | 'retired' | 'added';
  readonly old: string | null;
  readonly new: string | null;
}

export interface NetChangesFilter {
  /** The changes lead from this revision to that one. */
  readonly since: number;
  readonly until: number;
  /** How many records are compared at most. */
  readonly limit: number;
  readonly after?: RecordKey | undefined;
  /** Whether records are as they were stored, without fields that were added later. */
  readonly isAsStored?: boolean | undefined;
}

export interface NetChanges {
  /** The revision that the changes lead to: the newest one, if that is older. */
  readonly revision: number;
  readonly changes: readonly NetChange[];
  /** The key of the last record that was compared, if more may follow. */
  readonly last?: RecordKey;
}

/** A record at both revisions. */
export interface NetChange extends TextChange {
  readonly key: RecordKey;
}

export interface CorrectionFilter {
  /** Symbols, or ISINs of superseded records; a symbol that ever existed wins. */
  readonly securities?: readonly string[];
  /** First and last day of the records, inclusive. */
  readonly from?: string;
  readonly to?: string;
  /** Identifiers of funds, or of records of reference data, in any letter case. */
  readonly identifiers?: readonly string[];
  /** Only corrections by revisions before this one. */
  readonly before?: number;
  readonly after?: CorrectionPosition;
  readonly limit: number;
}

/** The states of these records; if quotes have no date range, of all days. */
export interface VintageFilter {
  readonly selection:
    | QuoteSelection
    | ObservationSelection
    | (RecordSelection & { readonly limit: number });
  /** Whether only the first state of each record counts. */
  readonly isFirstOnly?: boolean;
  /** Only states after this one: the key of its record, then its revision. */
  readonly after?: RecordKey | undefined;
}

/** A state of a record, and the revisions in which it was valid. */
export interface Vintage {
  readonly key: RecordKey;
  readonly record: string;
  /** Of a series. */
  readonly status?: string;
  readonly since: number;
  readonly published: string;
  /** Null while it is valid. */
  readonly until: number | null;
  readonly withdrawn: string | null;
}

export interface CorrectionPosition {
  readonly revision: number;
  readonly key: RecordKey;
}

/** Where a change is in the list of a revision's changes, in which additions come last. */
export interface ChangePosition {
  readonly isAddition: boolean;
  readonly key: RecordKey;
}

export interface Correction {
  readonly revision: number;
  readonly publishedAt: string;
  readonly change: 'corrected' | 'retired';
  readonly old: string;
  /** Null if it was retired. */
  readonly new: string | null;
}
