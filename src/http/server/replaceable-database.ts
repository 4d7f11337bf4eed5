import type { EventStreams } from '../../operations/events/event-streams.ts';
import { system, type Timer } from '../../shared/system.ts';
import {
  NOTHING_SEEN,
  type Store,
  type StoreReader,
  StoreUnavailableError,
  StoreUnusableError,
} from '../../store/open-store.ts';
import { BackgroundThread } from '../background/background-thread.ts';
import { createDatabase, type Database, type DatabaseOptions } from '../pipeline/database.ts';
import type { Scrubber } from '../scrub/scrubber.ts';
import { type StartServingThread, startThread } from './thread/start-thread.ts';

/** A file that was removed takes up disk space for as long as it is open. */
const CLOSE_REPLACED_AFTER_MS = 60_000;

interface ReplaceableOptions extends Omit<DatabaseOptions, 'background'> {
  readonly scrubber: Pick<Scrubber, 'restart' | 'suspect'>;
  readonly eventStreams: Pick<EventStreams, 'restart'>;
  readonly startThread?: StartServingThread | undefined;
  /** Whether another server is replaceable. */
  readonly isFollowing?: boolean;
}

/** The database that the URL of a store leads to now. */
export class ReplaceableDatabase {
  /** Serves its data. */
  database: Database;
  /** Replaced databases that requests in flight may still read from. */
  readonly #replaced = new Map<Attachment, Timer>();
  #reopening: Promise<void> | undefined;
  #damaged: readonly string[] = [];

  private constructor(
    private readonly store: Store,
    private readonly options: ReplaceableOptions,
    private attached: Attachment,
  ) {
    this.database = attached.database;
  }

  /** Opens the database of a store, and later those that take its place. */
  static async open(store: Store, options: ReplaceableOptions): Promise<ReplaceableDatabase> {
    return new ReplaceableDatabase(store, options, await attach(store, options));
  }

  /**
   * Notices a database file that was replaced, restored or removed since; all callers share one
   * look. Throws a StoreUnavailableError if there is none that can be used.
   */
  reopenIfReplaced(): Promise<void> {
    this.#reopening ??= this.#reopen().finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }

  /**
   * Records the names of everything damaged. Once something is repaired, everything that was read
   * and kept before is dropped, with the next look.
   */
  setDamaged(names: readonly string[]): void {
    this.#damaged = names;
    this.attached.database.damage.add(names);
  }

  async close(): Promise<void> {
    for (const [previous, timer] of this.#replaced) {
      timer.cancel();
      await previous.close();
    }
    await this.attached.close();
  }

  async #reopen(): Promise<void> {
    try {
      const { reader, damage } = this.attached.database;
      if (!reader.isCurrent()) await this.#replace();
      else if (!damage.isWithin(this.#damaged)) await this.#attachAnew(this.store);
      this.database = this.attached.database;
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError || cause instanceof StoreUnusableError))
        throw cause;
      const { database } = this.attached;
      if (this.database === database) {
        const reader = createMissingReader(cause.message);
        const { catalogues } = database;
        const missing = await createDatabase(reader, { ...this.options, catalogues });
        // A walk goes on once the file is back: its cursors are as valid as they were.
        this.database = { ...missing, cursors: database.cursors, links: database.links };
      }
      throw new StoreUnavailableError(cause.message, { cause });
    }
  }

  async #replace(): Promise<void> {
    const { scrubber, eventStreams, emit } = this.options;
    this.#damaged = [];
    const next = await this.#attachAnew(await this.store.reopen());
    scrubber.restart();
    emit({ event: 'store.replaced', revision: next.revision });
    eventStreams.restart();
  }

  /** Closes what was attached before later, for the requests that read from it. */
  async #attachAnew(store: Store): Promise<Attachment> {
    const next = await attach(store, this.options);
    const previous = this.attached;
    previous.database.newestRevision.retire();
    next.database.damage.add(this.#damaged);
    this.attached = next;
    const closeLater = () => {
      this.#replaced.delete(previous);
      previous.close().catch(() => {});
    };
    this.#replaced.set(previous, system.setTimeout(closeLater, CLOSE_REPLACED_AFTER_MS));
    return next;
  }
}

interface Attachment {
  readonly database: Database;
  readonly revision: number;
  readonly close: () => Promise<void>;
}

/** Everything that depends on the database is new. */
async function attach(store: Store, options: ReplaceableOptions): Promise<Attachment> {
  const { isFollowing } = options;
  const reader = store.reader({ isServing: true, isFollowing });
  const { reportAllocatedBytes, emit, startThread: start = startThread } = options;
  const { readerSource } = store;
  const datasets = options.catalogue.map(({ name }) => name);
  const background =
    readerSource &&
    new BackgroundThread(readerSource, reader, reportAllocatedBytes, emit, (source) =>
      start({ source, datasets }),
    );
  try {
    const database = await createDatabase(reader, { ...options, background });
    reader.isCurrent();
    const { revision } = database.newestRevision;
    const close = async () => {
      await background?.stop();
      reader.close();
    };
    return { database, revision, close };
  } catch (cause) {
    // Open connections would keep the process alive.
    reader.close();
    throw cause;
  }
}

/** The reader of a database that is missing at the moment: whatever is read of it fails. */
function createMissingReader(cause: string): StoreReader {
  const fail = () => {
    throw new StoreUnavailableError(cause);
  };
  return {
    revision: fail,
    revisionAt: fail,
    revisions: fail,
    ledgerEntry: fail,
    origins: fail,
    declarations: fail,
    read: fail,
    records: fail,
    changes: fail,
    netChanges: fail,
    corrections: fail,
    vintages: fail,
    coverage: fail,
    missingSeries: fail,
    securities: fail,
    funds: fail,
    securityTerms: fail,
    periods: fail,
    dimensionValues: fail,
    dayVersions: fail,
    checkpoint: fail,
    treeHashes: fail,
    ledgerKeys: fail,
    logEntry: fail,
    findBySalt: fail,
    isCurrent: fail,
    secret: async () => new Uint8Array(),
    confirmRevision: () => 0,
    newestSeen: () => NOTHING_SEEN,
    observeRevision() {},
    lostRevision: () => 0,
    servers: () => [],
    close() {},
  };
}
