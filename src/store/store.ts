import type { CandidateStore } from './candidates.ts';
import type { StoreInspector } from './inspector.ts';
import type { Publisher, PublisherOptions } from './publisher.ts';
import type { ReaderOptions, ReaderSource, StoreReader } from './reader.ts';
import type { OnServerHealthChange } from './server-status.ts';

/** A store whose schema is up to date; each method opens a connection of its own. */
export interface Store {
  /** The file with the token for the user who starts a server on this machine. */
  readonly localTokenFile: string;
  readonly schema: { readonly engine: 'SQLite' | 'PostgreSQL'; readonly version: number };
  /** The source from which another thread opens a reader; absent if no other thread can. */
  readonly readerSource?: ReaderSource;
  reader(options?: ReaderOptions): StoreReader;
  /** The store that the URL leads to now, which is not changed by opening it. */
  reopen(): Promise<Store>;
  publisher(options?: PublisherOptions): Publisher;
  inspector(): StoreInspector;
  tokens(): TokenStore;
  candidates(): CandidateStore;
  /** Whether the file is missing that keeps space for revoking a token; absent if there is none. */
  lacksReserve?(): boolean;
}

/** Changes that opening may make: migrate or create a database, only create a missing one, or none. */
export type StorePreparation = 'migrate' | 'create' | 'none';

/** How opening changed a database; `from` is null if it was created. */
export interface SchemaChange {
  /** The absolute path of the file, or the host and the name of the database. */
  readonly database: string;
  readonly from: number | null;
  readonly to: number;
}

export type OnSchemaChange = (change: SchemaChange) => void;

/** How to open a store beyond its URL; the last three are for PostgreSQL. */
export interface StoreOpenOptions {
  /** Default: migrate. */
  readonly preparation?: StorePreparation;
  readonly onSchemaChange?: OnSchemaChange | undefined;
  /** Whether a server has started on it: what was damaged since is for its scrub to find. */
  readonly isServed?: boolean;
  /** URLs of replicas, which may be read from. */
  readonly replicas?: readonly string[];
  readonly poolSize?: number;
  readonly onHealthChange?: OnServerHealthChange;
}

export interface MigrateOptions {
  readonly onSchemaChange?: OnSchemaChange;
  readonly isDryRun?: boolean;
  /** Whether its tables are to be distributed over the nodes of a cluster. */
  readonly distribute?: boolean;
  /** The newest of the revisions that are lost, if an operator gives them up. */
  readonly lostRevision?: number;
}

/** Where a copy of a database goes; `T` is what verifying it found. */
export interface BackupTarget<T> {
  readonly file: string;
  /** Whether an earlier copy of that name may be replaced. */
  readonly canReplace: boolean;
  /** Another name in the same folder, by what was found in the copy. */
  readonly formatName?: (verified: T) => string;
}

export interface BackupResult<T> {
  readonly file: string;
  readonly bytes: number;
  readonly verified: T;
}

/** Stores tokens and links, as digests only. No operation waits for a publisher. */
export interface TokenStore {
  all(): Promise<StoredToken[]>;
  /** Those with one of the digests, as they are now. */
  findByDigest(digests: readonly string[]): Promise<StoredToken[]>;
  add(token: StoredToken): Promise<void>;
  /** Stores tokens of a source, in the place of those with the id or digest of one of them. */
  replace(tokens: readonly StoredToken[]): Promise<void>;
  /** Sets when a token stops being accepted, or what it may read. */
  update(id: string, change: TokenChange): Promise<void>;
  recordLastUsed(uses: ReadonlyMap<string, string>): Promise<void>;
  /** Records that a server starts now; absent if the clock of a database server dates revisions. */
  recordServerStart?(): Promise<void>;
  close(): void;
}

export type TokenChange =
  | { readonly revokedAt: string }
  | { readonly expiresAt: string }
  | Pick<StoredToken, 'scopes'>;

/** A token; or a link, which is a token for one target. */
export interface StoredToken {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly digest: string;
  /** `*` is every scope, those of later declarations too. */
  readonly scopes: readonly string[];
  readonly rate: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  /** The one target that a link gives; null for a token. */
  readonly target: string | null;
  /** Whether it may sign links to what it may read. */
  readonly mayShare: boolean;
  /** Whether a follower gets all tokens with it. */
  readonly mayFollowTokens: boolean;
  /** Whether it came from the server that this one follows. */
  readonly isOfSource: boolean;
  /** Whether it came from there without an end, or with a later one: it is to be confirmed before `expiresAt`. */
  readonly isLeased: boolean;
}
