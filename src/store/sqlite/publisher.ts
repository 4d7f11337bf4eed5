import { constants, type Database } from 'bun:sqlite';
import { dirname } from 'node:path';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getPrivateFolder } from '../../shared/database-folders.ts';
import { system } from '../../shared/system.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { Publisher, PublisherOptions } from '../publisher.ts';
import type { Dialect } from '../sql/dialect.ts';
import { createPublisher, type PublishingSession } from '../sql/publisher.ts';
import { NOTHING_PUBLISHED } from '../sql/schema.ts';
import type { QuerySession, SignerStore, WriteSession } from '../sql/session.ts';
import { type ShadowStatements, ShadowTables } from '../sql/shadow-tables.ts';
import { getCommitLockFile, lockCommitFile } from './commit-lock.ts';
import {
  openWritable,
  runOrThrowBusy,
  USE_WRITE_AHEAD_LOG,
  withStoreErrors,
} from './connection.ts';
import { assertStillKnown } from './migrate-schema.ts';
import { OpenedDatabaseFile } from './opened-database-file.ts';
import { createSession } from './session.ts';
import { getSignersFile, readSigners, writeSigners } from './signers-file.ts';
import { findLastActivity } from './token-store.ts';
import { SqliteWriter } from './writer.ts';

export function createSqlitePublisher(
  path: string,
  catalogue: readonly Dataset[],
  options?: PublisherOptions,
): Publisher {
  return createPublisher(new SqlitePublishingSession(path), options, catalogue);
}

class SqlitePublishingSession implements PublishingSession {
  readonly dialect: Dialect;
  readonly run: QuerySession['run'];
  readonly stream: QuerySession['stream'];
  readonly createWriter: WriteSession['createWriter'] = async (...revision) =>
    new SqliteWriter(this.#database, ...revision);
  readonly readClock = async () => system.now();
  readonly findLastActivity = () => findLastActivity(this.path);
  readonly temporaryFolder: string;
  readonly signers: SignerStore;
  readonly rollback = async () => this.#end('ROLLBACK');
  readonly isOpen = () => this.#database.inTransaction;
  readonly #file: OpenedDatabaseFile;
  readonly #database: Database;
  #commitLock: Database | undefined;
  #shadows!: ShadowTables;
  /** The private key that all others are removed for, once the transaction has committed. */
  #onlySigner: string | undefined;

  constructor(private readonly path: string) {
    this.#file = new OpenedDatabaseFile(path);
    // Beside the database, where there is as much room, whatever link it is called by.
    this.temporaryFolder = dirname(getPrivateFolder(path));
    this.#database = openWritable(path);
    ({ dialect: this.dialect, run: this.run, stream: this.stream } = createSession(this.#database));
    this.signers = {
      location: getSignersFile(this.path),
      read: async () => readSigners(this.path),
      add: async (line) => writeSigners(this.path, [...readSigners(this.path), line]),
      replaceAll: async (line) => {
        await this.signers.add(line);
        this.#onlySigner = line;
      },
    };
  }

  async lockCommit(): Promise<void> {
    const file = getCommitLockFile(this.path);
    this.#commitLock ??= withStoreErrors(() => lockCommitFile(this.path), file);
  }

  async begin(isDryRun: boolean): Promise<void> {
    this.#assertAtPath('nothing was published');
    this.#onlySigner = undefined;
    this.#shadows = new ShadowTables(shadowStatements(this.#database));
    if (isDryRun) this.#database.run('BEGIN');
    else this.#beginWithLock();
    try {
      assertStillKnown(this.#database, NOTHING_PUBLISHED);
    } catch (cause) {
      this.#end('ROLLBACK');
      throw cause;
    }
  }

  async shadow(dataset: Dataset): Promise<void> {
    withStoreErrors(() => {
      for (const sql of this.#shadows.add(dataset)) this.#database.run(sql);
    });
  }

  #beginWithLock(): void {
    runOrThrowBusy(this.#database, () => {
      // A copy by VACUUM INTO has lost it, and a publication would lock out all readers.
      this.#database.run(USE_WRITE_AHEAD_LOG);
      this.#database.run('BEGIN IMMEDIATE');
    });
  }

  async commit(): Promise<void> {
    // The revision would be in a file that no process reads any more.
    this.#assertAtPath('nothing was published');
    this.#end('COMMIT');
    if (this.#onlySigner !== undefined) writeSigners(this.path, [this.#onlySigner]);
    this.#assertAtPath('tenor revisions tells whether it has the revision');
  }

  close(): void {
    this.#releaseCommitLock();
    // SQLite would delete the write-ahead log at the path, which is that of another file then.
    if (!this.#file.isAtPath()) this.#database.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
    this.#database.close();
  }

  #assertAtPath(consequence: string): void {
    if (this.#file.isAtPath()) return;
    throw new StoreUnavailableError(
      `the database file ${this.path} was replaced or removed; ${consequence}`,
    );
  }

  #end(sql: string): void {
    try {
      withStoreErrors(() => this.#database.run(sql));
    } finally {
      // After a commit that failed, the transaction is rolled back.
      if (!this.#database.inTransaction) this.#releaseCommitLock();
    }
  }

  #releaseCommitLock(): void {
    this.#commitLock?.close();
    this.#commitLock = undefined;
  }
}

/** In the schema temp. */
function shadowStatements(database: Database): ShadowStatements {
  const list = database.prepare<{ name: string; sql: string }, [string, string]>(
    "SELECT name, sql FROM main.sqlite_schema WHERE tbl_name = ? AND type = ? AND sql <> ''",
  );
  const copy = (table: string, type: 'table' | 'index') =>
    list
      .all(table, type)
      .map(({ name, sql }) =>
        sql.replace(new RegExp(`^(CREATE ${type}) "?${name}\\b"?`, 'i'), `$1 temp.${name}`),
      );
  return {
    copyStructure: (table) => copy(table, 'table'),
    copyIndexes: (table) => copy(table, 'index'),
    extend: (table) => {
      const columns = database
        .query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)')
        .all(table);
      const values = columns.map(({ name }) => `new.${name}`).join(', ');
      return [
        `CREATE TEMP TABLE ${table}_new AS SELECT * FROM main.${table} WHERE false`,
        `CREATE TEMP VIEW ${table} AS SELECT * FROM main.${table} UNION ALL SELECT * FROM ${table}_new`,
        `CREATE TEMP TRIGGER ${table}_insert INSTEAD OF INSERT ON ${table} BEGIN INSERT INTO ${table}_new VALUES (${values}); END`,
      ];
    },
    qualify: (table) => `main.${table}`,
    replan: () => [],
  };
}
