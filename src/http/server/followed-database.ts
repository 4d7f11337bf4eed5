import { type Store, StoreUnavailableError, StoreUnusableError } from '../../store/open-store.ts';
import { BackgroundThread } from '../background/background-thread.ts';
import type { EventStreams } from '../operations/events/event-streams.ts';
import {
  createDataContext,
  type DataContext,
  type DataContextOptions,
  withoutDatabase,
} from '../pipeline/request-context.ts';
import type { Scrubber } from '../scrub/scrubber.ts';

/** Serves data of the database that the URL of a store leads to now. */
export interface FollowedData {
  readonly get: () => DataContext;
  /**
   * Notices a database file that was replaced, restored or removed since. Throws a
   * StoreUnavailableError where there is none that can be used.
   */
  readonly follow: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A file that was removed takes up disk space for as long as it is open. */
const CLOSE_REPLACED_AFTER_MS = 60_000;

interface FollowOptions extends Omit<DataContextOptions, 'backgroundJobs'> {
  readonly scrubber: Pick<Scrubber, 'restart'>;
  readonly eventStreams: Pick<EventStreams, 'restart'>;
}

/** Opens a store, and follows the databases that take its place. */
export async function followDatabase(store: Store, options: FollowOptions): Promise<FollowedData> {
  const follower = new DatabaseFollower(store, options, await attach(store, options));
  return {
    get: () => follower.data,
    follow: () => follower.follow(),
    close: () => follower.close(),
  };
}

class DatabaseFollower {
  data: DataContext;
  readonly #store: Store;
  readonly #options: FollowOptions;
  #attached: Attachment;
  /** Replaced databases that requests in flight may still read from. */
  readonly #replaced = new Map<Attachment, NodeJS.Timeout>();
  #following: Promise<void> | undefined;

  constructor(store: Store, options: FollowOptions, attached: Attachment) {
    this.#store = store;
    this.#options = options;
    this.#attached = attached;
    this.data = attached.data;
  }

  /** All callers share one look. */
  follow(): Promise<void> {
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined;
    });
    return this.#following;
  }

  async close(): Promise<void> {
    for (const [previous, timer] of this.#replaced) {
      clearTimeout(timer);
      await previous.close();
    }
    await this.#attached.close();
  }

  async #follow(): Promise<void> {
    try {
      if (!this.#attached.data.reader.isCurrent()) await this.#replace();
      this.data = this.#attached.data;
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError || cause instanceof StoreUnusableError))
        throw cause;
      if (this.data.missingCause === undefined)
        this.data = withoutDatabase(this.#attached.data, cause.message, this.#options);
      throw new StoreUnavailableError(cause.message, { cause });
    }
  }

  async #replace(): Promise<void> {
    const { sharedRevision, scrubber, eventStreams, emit } = this.#options;
    const next = await attach(await this.#store.reopen(), this.#options);
    sharedRevision?.restart();
    scrubber.restart();
    const previous = this.#attached;
    this.#attached = next;
    const closeLater = () => {
      this.#replaced.delete(previous);
      previous.close().catch(() => {});
    };
    this.#replaced.set(previous, setTimeout(closeLater, CLOSE_REPLACED_AFTER_MS));
    emit({ event: 'store.replaced', revision: next.revision });
    eventStreams.restart();
  }
}

interface Attachment {
  readonly data: DataContext;
  readonly revision: number;
  readonly close: () => Promise<void>;
}

/** Everything that depends on the database is new. */
async function attach(store: Store, options: FollowOptions): Promise<Attachment> {
  const reader = store.reader();
  const { readerSource } = store;
  const background =
    readerSource && new BackgroundThread(readerSource, reader, options.reportAllocatedBytes);
  try {
    const data = await createDataContext(reader, { ...options, backgroundJobs: background });
    reader.isCurrent();
    const revision = await reader.revision();
    data.responseCache.advanceTo(revision);
    const close = async () => {
      await background?.stop();
      reader.close();
    };
    return { data, revision, close };
  } catch (cause) {
    // Open connections would keep the process alive.
    reader.close();
    throw cause;
  }
}
