import { Database } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { getPrivateFile } from '../../shared/database-folders.ts';
import type { CandidateStore } from '../candidates.ts';
import { type CandidateEngine, createCandidateStore } from '../create-candidate-store.ts';
import { getCandidateDefinitions } from '../sql/shared-schema.ts';
import { withStoreErrors } from './connection.ts';
import { createDatabaseFile } from './create-database-file.ts';
import { sqliteTableDialect } from './dialect.ts';
import { runSteps } from './session.ts';

/** Candidates have a file of their own: readers of the database must not see them. */
export function createSqliteCandidateStore(path: string): CandidateStore {
  const file = getCandidatesFile(path);
  const run: CandidateEngine['run'] = async (createSteps) => {
    if (!existsSync(file)) createCandidatesFile(path);
    return withStoreErrors(() => {
      using database = new Database(file, { readwrite: true, strict: true });
      for (const setting of [BUSY_TIMEOUT, 'PRAGMA synchronous = FULL']) database.run(setting);
      return database.transaction(() => runSteps(database, createSteps())).immediate();
    }, file);
  };
  return createCandidateStore({
    run,
    // Each load asks which datasets are reviewed: one statement, without a lock for writing.
    read: async (createSteps, missing) => {
      if (!existsSync(file)) return missing;
      return withStoreErrors(() => {
        // Not read-only: what a killed process has left may have to be rolled back.
        using database = new Database(file, { readwrite: true, strict: true });
        database.run(BUSY_TIMEOUT);
        return runSteps(database, createSteps());
      }, file);
    },
    findAccount: async () => findSystemUser(),
    close: () => {},
  });
}

const BUSY_TIMEOUT = 'PRAGMA busy_timeout = 10000';

export function getCandidatesFile(path: string): string {
  return getPrivateFile(path, 'candidates');
}

export function createCandidatesFile(path: string): void {
  const fill = (database: Database) => {
    for (const { sql } of getCandidateDefinitions(sqliteTableDialect)) database.run(sql);
  };
  createDatabaseFile(getCandidatesFile(path), fill, statSync(path));
}

/** The name that the system has for the user of this process, whatever its environment says. */
function findSystemUser(): string {
  const program = ['/usr/bin/id', '/bin/id'].find((path) => existsSync(path));
  const name = program && Bun.spawnSync([program, '-un'], { env: {} }).stdout.toString().trim();
  return name || `user ${process.geteuid?.()}`;
}
