import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Awaitable } from '../shared/awaitable.ts';
import { isInDatabaseFolder } from '../shared/database-folders.ts';
import {
  formatPublicAddress,
  getLocalName,
  isPostgresUrl,
  listServerUrls,
} from '../shared/postgres-url.ts';
import { StoreUnusableError } from './errors.ts';
import type { StoreInspector } from './inspector.ts';
import type { EngineName } from './sql/dialect.ts';
import { createSqliteTables, openSqliteTables } from './sqlite/copy-tables.ts';
import { isFileOf } from './sqlite/database-files.ts';
import {
  migrateSqlite,
  openSqlite,
  openSqliteInspector,
  parseSqlitePath,
} from './sqlite/open-sqlite.ts';
import type { MigrateOptions, Store, StoreOpenOptions } from './store.ts';
import type { TableReader, TableWriter } from './table-copy.ts';

type Datasets = readonly Dataset[];

/** The answers of an engine about the databases of its URLs. */
export interface Engine {
  readonly isUrl: (url: string) => boolean;
  /** Whether a database is a file, which has no replicas, and which a backup copies. */
  readonly isFile: boolean;
  /** The URLs of the servers that a URL names; of a file, its own. */
  readonly listServers: (url: string) => readonly string[];
  /** Without credentials. */
  readonly formatAddress: (url: string) => string;
  readonly isDatabaseFile: (file: string, url: string) => boolean;
  open(url: string, catalogue: Datasets, options: StoreOpenOptions): Awaitable<Store>;
  migrate(url: string, catalogue: Datasets, options: MigrateOptions): Awaitable<readonly string[]>;
  openInspector(url: string, catalogue: Datasets): Awaitable<StoreInspector>;
  openTables(url: string): Awaitable<TableReader>;
  createTables(url: string, catalogue: Datasets): Awaitable<TableWriter>;
}

/** Imported if a URL leads to PostgreSQL: it is a third of the modules of a command on a file. */
const importPostgres = () => import('./postgres/open-postgres.ts');
const importPostgresTables = () => import('./postgres/copy-tables.ts');

export const ENGINES: Readonly<Record<EngineName, Engine>> = {
  sqlite: {
    isUrl: (url) => url.startsWith('sqlite:'),
    isFile: true,
    listServers: (url) => [url],
    formatAddress: (url) => url,
    isDatabaseFile: (file, url) => isFileOf(parseSqlitePath(url), file),
    open: openSqlite,
    migrate: migrateSqlite,
    openInspector: (url, catalogue) => openSqliteInspector(parseSqlitePath(url), catalogue),
    openTables: (url) => openSqliteTables(parseSqlitePath(url)),
    createTables: (url, catalogue) => createSqliteTables(parseSqlitePath(url), catalogue),
  },
  postgres: {
    isUrl: isPostgresUrl,
    isFile: false,
    listServers: listServerUrls,
    formatAddress: (url) => listServerUrls(url).map(formatPublicAddress).join(', '),
    isDatabaseFile: (file, url) => isInDatabaseFolder(getLocalName(url), file),
    open: async (...call) => (await importPostgres()).openPostgres(...call),
    migrate: async (...call) => (await importPostgres()).migratePostgres(...call),
    openInspector: async (...call) => (await importPostgres()).openPostgresInspector(...call),
    openTables: async (...call) => (await importPostgresTables()).openPostgresTables(...call),
    createTables: async (...call) => (await importPostgresTables()).createPostgresTables(...call),
  },
};

/** The engine of the database that a URL leads to. */
export function findEngine(url: string): Engine {
  const engine = Object.values(ENGINES).find(({ isUrl }) => isUrl(url));
  if (!engine) throw new StoreUnusableError('DATABASE_URL must begin with sqlite: or postgres://');
  return engine;
}
