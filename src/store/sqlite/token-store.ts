import { Database, SQLiteError } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { DAY_MS } from '../../shared/calendar.ts';
import { getPrivateFile } from '../../shared/database-folders.ts';
import { system } from '../../shared/system.ts';
import { StoreUnavailableError } from '../errors.ts';
import { retryWhileBusy } from '../retry-while-busy.ts';
import type { QuerySteps } from '../sql/query-steps.ts';
import { getTokensDefinition } from '../sql/shared-schema.ts';
import {
  findTokens,
  insertToken,
  replaceTokens,
  updateLastUsed,
  updateToken,
} from '../sql/tokens.ts';
import type { TokenStore } from '../store.ts';
import {
  queryValue,
  runIntegrityCheck,
  SERVER_BUSY_TIMEOUT_MS,
  toBusyError,
  toSqliteStoreError,
  withErrors,
} from './connection.ts';
import { createDatabaseFile } from './create-database-file.ts';
import { sqliteTableDialect } from './dialect.ts';
import { fillDiskReserve, withDiskReserve } from './disk-reserve.ts';
import { runSteps } from './session.ts';

/**
 * Tokens have a file of their own beside the database, because a load holds the write lock of the
 * database for as long as it takes, and a token must be revoked at once.
 */
export function createSqliteTokenStore(path: string): TokenStore {
  const file = getTokensFile(path);
  let hasExisted = false;
  /** Opened each time, so that a file that was replaced is noticed. */
  const open = (): Database => {
    const database = openTokensFile(file, SERVER_BUSY_TIMEOUT_MS);
    hasExisted = true;
    return database;
  };
  /** Waits for a lock between attempts, so that a server responds to requests meanwhile. */
  const run = <T>(operation: (database: Database) => T, usesReserve = false): Promise<T> =>
    retryWhileBusy({ waitMs: LOCK_WAIT_MS }, () => {
      const attempt = (hasSpace = true) => {
        using database = open();
        // Its journal would need a file. A process that is killed while it writes may damage this one.
        if (!hasSpace) database.run('PRAGMA journal_mode = MEMORY');
        return operation(database);
      };
      return withErrors(
        () => (usesReserve ? withDiskReserve(path, attempt) : attempt()),
        (cause) => toBusyError(cause, `${file} is locked`) ?? toSqliteStoreError(cause, file),
      );
    });
  const write = async (createSteps: () => QuerySteps<void>, usesReserve?: boolean) => {
    const transact = (database: Database) =>
      database.transaction(() => runSteps(database, createSteps())).immediate();
    await run(transact, usesReserve);
    fillDiskReserve(path);
  };
  const isMissing = () => {
    if (existsSync(file)) return false;
    if (hasExisted) throw new StoreUnavailableError(`${file} is gone`);
    return true;
  };
  const find = async (digests?: readonly string[]) =>
    isMissing() ? [] : run((database) => runSteps(database, findTokens(digests)));
  const add = async (createSteps: () => QuerySteps<void>) => {
    if (isMissing()) createTokensFile(path);
    await write(createSteps);
  };
  return {
    all: () => find(),
    findByDigest: find,
    add: (token) => add(() => insertToken(token)),
    replace: (tokens) => add(() => replaceTokens(tokens)),
    update: (id, change) => write(() => updateToken(id, change), true),
    recordLastUsed: async (uses) => {
      if (!isMissing()) await write(() => updateLastUsed(uses));
    },
    recordServerStart: async () => {
      const sql = `${START_DAY} = ${Math.floor(system.now() / DAY_MS)}`;
      try {
        if (isMissing()) createTokensFile(path);
        await write(function* () {
          yield { sql };
        });
      } catch (cause) {
        // A server that cannot write serves all the same.
        const { code } = cause as NodeJS.ErrnoException;
        if (!(cause instanceof StoreUnavailableError) && code === undefined) throw cause;
      }
    },
    close: () => {},
  };
}

/** A number in the header of the file, which no version reads as one of its schema. */
const START_DAY = 'PRAGMA user_version';

/** When a token was last used, or the day a server started; 0 if the file does not tell. */
export function findLastActivity(path: string): number {
  const file = getTokensFile(path);
  if (!existsSync(file)) return 0;
  try {
    using database = openTokensFile(file);
    const lastUse = queryValue(database, 'SELECT max(last_used_at) FROM tokens');
    const startMs = Number(queryValue(database, START_DAY)) * DAY_MS;
    return Math.max(Date.parse(String(lastUse)) || 0, startMs);
  } catch (cause) {
    // Damaged or locked, which keeps nobody from publishing.
    if (!(cause instanceof SQLiteError)) throw cause;
    return 0;
  }
}

/** Faults of the file of the tokens; empty if there are none, or no tokens. */
export function findTokenFaults(path: string): string[] {
  const file = getTokensFile(path);
  if (!existsSync(file)) return [];
  try {
    using database = openTokensFile(file);
    runSteps(database, findTokens());
    return runIntegrityCheck(database).map((fault) => `${file}: ${fault}`);
  } catch (cause) {
    if (!(cause instanceof SQLiteError)) throw cause;
    return [`${file}: ${cause.message}`];
  }
}

export function getTokensFile(path: string): string {
  return getPrivateFile(path, 'tokens');
}

const LOCK_WAIT_MS = 2_000;

function openTokensFile(file: string, waitMs = LOCK_WAIT_MS): Database {
  const database = new Database(file, { readwrite: true, strict: true });
  database.run(`PRAGMA busy_timeout = ${waitMs}`);
  return database;
}

/** Whoever may use the database may use its tokens. */
export function createTokensFile(path: string): void {
  const fill = (database: Database) => database.run(getTokensDefinition(sqliteTableDialect).sql);
  createDatabaseFile(getTokensFile(path), fill, statSync(path));
}
