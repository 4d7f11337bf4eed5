import { drainMicrotasks } from 'bun:jsc';
import { Database } from 'bun:sqlite';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { getColumnValues, getKeyValues, getStorageTable } from '../../src/schema/storage-table.ts';
import { replaceSystem, system } from '../../src/shared/system.ts';
import type { DatasetChange } from '../../src/store/publisher.ts';
import { createPublisher, type PublishingSession } from '../../src/store/sql/publisher.ts';
import { migrateSchema } from '../../src/store/sqlite/migrate-schema.ts';
import { createSession } from '../../src/store/sqlite/session.ts';
import { SqliteWriter } from '../../src/store/sqlite/writer.ts';
import {
  buildRecord,
  getDataset,
  Model,
  type SimulatedChange,
  simulatedCatalogue,
} from './model.ts';
import { Random } from './random.ts';
import { START_MS } from './scheduler.ts';

/** One revision of a history: a database that is never written to any more, and what it must hold. */
export class Snapshot {
  #database: Database | undefined;

  constructor(
    readonly bytes: Uint8Array,
    readonly model: Model,
  ) {}

  get revision(): number {
    return this.model.revision;
  }

  /** Opened when it is first read. */
  get database(): Database {
    this.#database ??= Database.deserialize(this.bytes, { readonly: true, strict: true });
    return this.#database;
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }
}

/**
 * The revisions of one database, each published by the real publisher. A lagging replica is a history
 * that is read at an earlier snapshot; a file that was replaced has another history, and one that was
 * restored has a fork of this one.
 */
export class History {
  readonly snapshots: Snapshot[];
  /** Snapshots that other histories have, too. */
  readonly #sharedCount: number;
  #writable: Database | undefined;

  constructor(
    /** No two histories of a run have the same figures. */
    readonly number: number,
    /** The secret that signs cursors, and tells databases apart. */
    readonly secret: Uint8Array,
    first?: readonly Snapshot[],
  ) {
    this.snapshots = first ? [...first] : [createEmptySnapshot(secret)];
    this.#sharedCount = first?.length ?? 0;
  }

  /** The newest revision that was made; which one can be read is for the file or server to say. */
  get newest(): Snapshot {
    return this.snapshots.at(-1) as Snapshot;
  }

  /**
   * Publishes a change as the next revision, by the clock of the process that calls. Settles without
   * any event, unless it is released at an instant. Returns undefined where it changes nothing.
   */
  async publish(change: SimulatedChange, notBefore?: Date): Promise<Snapshot | undefined> {
    const { newest } = this;
    const stamp = this.number * 10_000 + newest.revision + 2;
    this.#writable ??= Database.deserialize(newest.bytes, { strict: true });
    const publisher = createPublisher(new MemoryPublishingSession(this.#writable), {
      allowsClockSkew: true,
    });
    const published = await publisher.publish({ ...encodeChange(change, stamp), notBefore });
    const publishedAtMs = Date.parse(published?.publishedAt ?? '');
    if (notBefore && publishedAtMs < notBefore.getTime())
      throw new Error(`revision ${published?.revision} was released before its instant`);
    const model = newest.model.apply(change, stamp, publishedAtMs);
    if ((published?.revision ?? newest.revision) !== model.revision)
      throw new Error(`revision ${published?.revision} is not the model's, ${model.revision}`);
    if (!published) return undefined;
    const snapshot = new Snapshot(this.#writable.serialize(), model);
    this.snapshots.push(snapshot);
    return snapshot;
  }

  /** Another future of an earlier revision, with the same secret. */
  fork(number: number, revision: number): History {
    return new History(number, this.secret, this.snapshots.slice(0, revision + 1));
  }

  close(): void {
    this.#writable?.close();
    for (const snapshot of this.snapshots.slice(this.#sharedCount)) snapshot.close();
  }
}

const DAY_MS = 86_400_000;

/**
 * Histories that runs begin with, published once in a process: a run has forks of them. Their figures
 * are those of their numbers.
 */
export class BaseHistories {
  readonly #histories: History[] = [];

  constructor(
    private readonly revisions: number,
    private readonly draw: (random: Random) => SimulatedChange,
  ) {}

  /** A fork of a base with so many revisions; `number` is that of the fork. */
  fork(base: number, revisions: number, number: number): History {
    this.#histories[base] ??= this.#create(base);
    return this.#histories[base].fork(number, revisions);
  }

  #create(base: number): History {
    const random = new Random(base);
    const history = new History(base, new Uint8Array(32).fill(base));
    // Whichever seed comes first: they were published before all that is simulated, each at its time.
    const present = { ...system };
    replaceSystem({
      ...present,
      now: () => START_MS - DAY_MS + base * 1_000 + history.newest.revision,
    });
    while (history.newest.revision < this.revisions) {
      history.publish(this.draw(random));
      drainMicrotasks();
    }
    replaceSystem(present);
    return history;
  }
}

/** A change as publishers take it. */
function encodeChange(change: SimulatedChange, stamp: number): DatasetChange {
  const dataset = getDataset(change.dataset);
  const table = getStorageTable(dataset);
  const rows = change.put.map(({ slot, isOld }) => {
    const record = buildRecord(change.dataset, slot, isOld ? 1 : stamp);
    return { columns: getColumnValues(table, record), json: serializeRecord(dataset, record) };
  });
  const retiredKeys = change.retired.map((slot) =>
    getKeyValues(table, buildRecord(change.dataset, slot, stamp)),
  );
  const origin = { source: `publication ${stamp}`, author: 'simulation' };
  return { dataset, rows: [rows], retiredKeys, ...origin };
}

/** A database without a revision; its schema is made once in a process. */
function createEmptySnapshot(secret: Uint8Array): Snapshot {
  template ??= createTemplate();
  using database = Database.deserialize(template, { strict: true });
  database.query("UPDATE secrets SET value = ? WHERE name = 'cursor'").run(secret);
  return new Snapshot(database.serialize(), Model.empty);
}

let template: Uint8Array | undefined;

function createTemplate(): Uint8Array {
  using database = new Database(':memory:', { strict: true });
  // A snapshot of every revision is kept.
  database.run('PRAGMA page_size = 1024');
  migrateSchema(database, simulatedCatalogue);
  return database.serialize();
}

/** The private keys of all histories: a fork has that of its origin. */
const signerLines: string[] = [];

/** Publishes in memory, as the session of a file does. */
class MemoryPublishingSession implements PublishingSession {
  readonly dialect: PublishingSession['dialect'];
  readonly run: PublishingSession['run'];
  readonly stream: PublishingSession['stream'];
  readonly readClock = async () => system.now();
  readonly createWriter: PublishingSession['createWriter'] = async (...revision) =>
    new SqliteWriter(this.database, ...revision);
  readonly signers: PublishingSession['signers'] = {
    location: 'the memory of the simulation',
    read: async () => signerLines,
    add: async (line) => void signerLines.push(line),
    replaceAll: async (line) => void signerLines.push(line),
  };

  constructor(private readonly database: Database) {
    ({ dialect: this.dialect, run: this.run, stream: this.stream } = createSession(database));
  }

  async lockCommit(): Promise<void> {}

  async begin(): Promise<void> {
    this.database.run('BEGIN IMMEDIATE');
  }

  async shadow(): Promise<void> {
    throw new Error('the simulation has no dry runs');
  }

  async commit(): Promise<void> {
    this.database.run('COMMIT');
  }

  async rollback(): Promise<void> {
    this.database.run('ROLLBACK');
  }

  isOpen(): boolean {
    return this.database.inTransaction;
  }

  close(): void {}
}
