import type { StoreInspector } from './inspector.ts';
import type { LockWaitOptions, Publisher } from './publisher.ts';
import type { StoreReader } from './reader.ts';
import type { OnServerHealthChange } from './server-health.ts';
import type { TokenStore } from './token-store.ts';

/** A store whose schema is up to date; each method opens a connection of its own. */
export interface Store {
  /** The file with the token for whoever starts a server on this machine. */
  readonly localTokenFile: string;
  reader(): StoreReader;
  publisher(lockWait?: LockWaitOptions): Publisher;
  inspector(): StoreInspector;
  tokens(): TokenStore;
}

/** How to reach a store beyond its URL; for PostgreSQL. */
export interface StoreConnectionOptions {
  /** URLs of replicas, which may be read from. */
  readonly replicas?: readonly string[];
  /** How many connections to each server readers share. */
  readonly poolSize?: number;
  readonly onHealthChange?: OnServerHealthChange;
}

export interface MigrateOptions {
  readonly isDryRun?: boolean;
  /** Whether its tables are to be distributed over the nodes of a cluster. */
  readonly distribute?: boolean;
}
