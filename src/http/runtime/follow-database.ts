import {
  type Store,
  type StoreReader,
  StoreUnavailableError,
  StoreUnusableError,
} from '../../store/open-store.ts';
import { type BackgroundThread, createBackgroundThread } from '../background/background-thread.ts';
import type { Scrubber } from '../scrub/scrubber.ts';
import {
  createServerContext,
  type ServerContext,
  type ServerContextOptions,
} from '../server-context.ts';

/** The context of a server over the database that its URL leads to now. */
export interface FollowedContext {
  readonly get: () => ServerContext;
  /**
   * Notices a database file that was replaced, restored or removed since. Throws a
   * StoreUnavailableError where there is none that can be used.
   */
  readonly follow: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A file that was removed takes up disk space for as long as it is open. */
const CLOSE_REPLACED_AFTER_MS = 60_000;

interface FollowOptions extends Omit<ServerContextOptions, 'backgroundJobs' | 'scrub'> {
  readonly scrub: Pick<Scrubber, 'status' | 'restart'>;
}

/** Creates a context over a store, and another one for each database that takes its place. */
export async function createFollowedContext(
  store: Store,
  options: FollowOptions,
): Promise<FollowedContext> {
  let attached = await attach(store, options);
  let context = attached.context;
  /** Replaced databases that requests in flight may still read from. */
  const replaced = new Map<Attachment, NodeJS.Timeout>();
  const replace = async () => {
    const next = await attach(await store.reopen(), options, attached.context);
    options.sharedRevision?.restart();
    options.scrub.restart();
    const previous = attached;
    attached = next;
    const closeLater = () => {
      replaced.delete(previous);
      previous.close().catch(() => {});
    };
    replaced.set(previous, setTimeout(closeLater, CLOSE_REPLACED_AFTER_MS));
    options.emit({ event: 'store.replaced', revision: next.revision });
    options.eventStreams.restart();
  };
  const follow = async () => {
    try {
      if (!attached.context.reader.isCurrent()) await replace();
      context = attached.context;
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError || cause instanceof StoreUnusableError))
        throw cause;
      if (context === attached.context)
        context = await detach(attached.context, options, cause.message);
      throw new StoreUnavailableError(cause.message, { cause });
    }
  };
  let following: Promise<void> | undefined;
  return {
    get: () => context,
    follow: () => {
      following ??= follow().finally(() => {
        following = undefined;
      });
      return following;
    },
    async close() {
      for (const [previous, timer] of replaced) {
        clearTimeout(timer);
        await previous.close();
      }
      await attached.close();
    },
  };
}

interface Attachment {
  readonly context: ServerContext;
  readonly revision: number;
  readonly close: () => Promise<void>;
}

/** Everything that depends on the database is new; what clients and limits did stays known. */
async function attach(
  store: Store,
  options: FollowOptions,
  earlier?: ServerContext,
): Promise<Attachment> {
  const reader = store.reader();
  const { readerSource } = store;
  const background =
    readerSource && createBackgroundThread(readerSource, reader, options.reportAllocatedBytes);
  try {
    const created = await createServerContext(reader, {
      ...options,
      ...(background && { backgroundJobs: background }),
    });
    reader.isCurrent();
    const revision = await reader.revision();
    created.responseCache.advanceTo(revision);
    const close = async () => closeAttachment(reader, background);
    return { context: keepClients(created, earlier), revision, close };
  } catch (cause) {
    // Open connections would keep the process alive.
    reader.close();
    throw cause;
  }
}

async function closeAttachment(reader: StoreReader, background: BackgroundThread | undefined) {
  await background?.stop();
  reader.close();
}

function keepClients(created: ServerContext, earlier: ServerContext | undefined): ServerContext {
  if (!earlier) return created;
  const { storeHealth, keepAlive } = earlier;
  return { ...created, storeHealth, keepAlive };
}

/** Until there is a database again: nothing is read, and nothing that was cached is sent. */
async function detach(
  attached: ServerContext,
  options: FollowOptions,
  cause: string,
): Promise<ServerContext> {
  const throwUnavailable = () => {
    throw new StoreUnavailableError(cause);
  };
  const empty: Partial<StoreReader> = { secret: async () => new Uint8Array(), servers: () => [] };
  const reader = new Proxy(attached.reader, {
    get: (_, name) => empty[name as keyof StoreReader] ?? throwUnavailable,
  });
  return keepClients(await createServerContext(reader, options), attached);
}
