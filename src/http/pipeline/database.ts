import { Catalogues } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { EmitEvent } from '../../event-log.ts';
import type { StoreReader } from '../../store/open-store.ts';
import type { BackgroundWork, ReportAllocatedBytes } from '../background/background-work.ts';
import { JobScheduler } from '../background/job-scheduler.ts';
import { NewestRevision } from '../freshness/newest-revision.ts';
import type { SharedRevision } from '../freshness/shared-revision.ts';
import { type CursorCodec, createCursorCodec } from '../request/cursor-codec.ts';
import { ResponseCache } from '../responses/response-cache.ts';
import { createStoreLookups, type StoreLookups } from '../responses/store-lookups.ts';
import { KnownDamage, type ReadObserver } from '../scrub/known-damage.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { View } from './view.ts';

/** Everything that serving data needs of one database: another one takes its place as a whole. */
export interface Database extends StoreLookups {
  readonly reader: StoreReader;
  readonly catalogues: Catalogues;
  readonly newestRevision: NewestRevision;
  /** The view of the newest revision that is known; undefined until its catalogue is built. */
  getNewestView(): View | undefined;
  readonly damage: KnownDamage;
  readonly responseCache: ResponseCache;
  readonly cacheCounts: Pick<RequestMetrics, 'cacheHits' | 'cacheMisses'>;
  readonly cursors: CursorCodec;
  readonly scheduler: JobScheduler;
  readonly reportAllocatedBytes: ReportAllocatedBytes;
}

const RESPONSE_CACHE_BYTES = 24 * 1024 * 1024;

export interface DatabaseOptions {
  /** The datasets that ship with the program. */
  readonly catalogue: readonly Dataset[];
  /** Those that were read before, where the reader can read none. */
  readonly catalogues?: Catalogues;
  readonly metrics: Database['cacheCounts'];
  readonly emit: EmitEvent;
  /** Absent where all work is done on the calling thread. */
  readonly background?: BackgroundWork | undefined;
  readonly reportAllocatedBytes: ReportAllocatedBytes;
  /** Given to each of several servers that share one port. */
  readonly sharedRevision?: SharedRevision | undefined;
  /** Absent where nothing is scrubbed, as in a command. */
  readonly scrubber?: ReadObserver;
}

/** Assembles what serves data over a reader. */
export async function createDatabase(
  reader: StoreReader,
  options: DatabaseOptions,
): Promise<Database> {
  const { background, metrics, emit, sharedRevision, reportAllocatedBytes } = options;
  const catalogues = options.catalogues ?? new Catalogues(options.catalogue, reader);
  const responseCache = new ResponseCache(RESPONSE_CACHE_BYTES);
  const secret = await reader.secret();
  const shared = sharedRevision?.select(secret);
  const newestRevision = new NewestRevision(reader, responseCache, catalogues, emit, shared);
  if (!options.catalogues) await newestRevision.start(await reader.revision());
  let view: View | undefined;
  return {
    ...createStoreLookups(reader),
    ...{ reader, catalogues, newestRevision, responseCache, reportAllocatedBytes },
    getNewestView() {
      const { revision } = newestRevision;
      if (view?.revision !== revision) {
        const catalogue = revision < 0 ? undefined : catalogues.at(revision);
        view = catalogue && { revision, catalogue, namedBy: 'nothing' };
      }
      return view;
    },
    damage: new KnownDamage(options.scrubber),
    cacheCounts: metrics,
    cursors: createCursorCodec(secret),
    scheduler: new JobScheduler(background),
  };
}
