import { Catalogues } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { EmitEvent } from '../../event-log.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import { createBoundedMap, memoizeAsync } from '../../shared/memoize.ts';
import type { Revision, StoreReader } from '../../store/open-store.ts';
import type { SharedKeys } from '../../tokens/shared-tokens.ts';
import type { BackgroundWork } from '../background/background-work.ts';
import { JobScheduler } from '../background/job-scheduler.ts';
import { NewestRevision, type View } from '../freshness/newest-revision.ts';
import type { SharedRevision } from '../freshness/shared-revision.ts';
import { type CursorCodec, createCursorCodec } from '../request/cursor-codec.ts';
import { createLinkCodec, type LinkCodec } from '../request/link-codec.ts';
import type { HttpResponse, LastChange, ReportAllocatedBytes } from '../responses/response.ts';
import { ResponseCache } from '../responses/response-cache.ts';
import { KnownDamage, type ReadObserver } from '../scrub/known-damage.ts';
import type { RequestMetrics } from './request-metrics.ts';

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
  readonly links: LinkCodec;
  /** Makes cursors and verifies links as the source does that the store follows. */
  useSourceKeys(keys: SharedKeys | undefined): void;
  readonly scheduler: JobScheduler;
  readonly reportAllocatedBytes: ReportAllocatedBytes;
}

const RESPONSE_CACHE_BYTES = 24 * 1024 * 1024;

export interface DatabaseOptions {
  /** The datasets that ship with the program. */
  readonly catalogue: readonly Dataset[];
  /** Those that were read before, if the reader can read none. */
  readonly catalogues?: Catalogues;
  readonly metrics: Database['cacheCounts'];
  readonly emit: EmitEvent;
  /** Absent if all work is done on the calling thread. */
  readonly background?: BackgroundWork | undefined;
  readonly reportAllocatedBytes: ReportAllocatedBytes;
  /** Given to each of several servers that share one port. */
  readonly sharedRevision?: SharedRevision | undefined;
  /** Absent if nothing is scrubbed, as in a command. */
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
  const cursors = createCursorCodec(secret);
  const links = createLinkCodec(secret);
  let sourceKeys = '';
  return {
    ...createStoreLookups(reader),
    reader,
    catalogues,
    newestRevision,
    responseCache,
    reportAllocatedBytes,
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
    cursors,
    links,
    useSourceKeys(keys) {
      const text = keys ? JSON.stringify(keys) : '';
      if (text === sourceKeys) return;
      sourceKeys = text;
      cursors.useSourceKey(keys && Buffer.from(keys.cursorKey, 'base64url'));
      links.useSourceKeys((keys?.linkKeys ?? []).map((key) => Buffer.from(key, 'base64url')));
      // Their cursors were made with another key.
      responseCache.clear();
    },
    scheduler: new JobScheduler(background),
  };
}

/** Results of the store that never change, cached. */
export type StoreLookups = ReturnType<typeof createStoreLookups>;

const MAX_CACHED_RESULTS = 1_000;

export function createStoreLookups(
  reader: Pick<StoreReader, 'revision' | 'revisions' | 'revisionAt' | 'coverage'>,
) {
  const revisionsByNumber = createBoundedMap<number, Revision>(MAX_CACHED_RESULTS);
  const revisionsByHeader = createBoundedMap<string, Revision>(MAX_CACHED_RESULTS);
  const readRevision = async (number: number) => {
    const [newest] = await reader.revisions({ before: number + 1, limit: 1 });
    return newest?.revision === number ? newest : undefined;
  };
  return {
    /** The revision of a number; undefined if there is none yet. */
    findRevision: (number: number): Awaitable<Revision | undefined> => {
      const cached = revisionsByNumber.get(number);
      if (cached || number === 0) return cached;
      return readRevision(number).then(async (found) => {
        // A replica may not have it yet: then the newest revision is that of the primary.
        const isLate = !found && (await reader.revision()) >= number;
        const revision = isLate ? await readRevision(number) : found;
        if (revision) revisionsByNumber.set(number, revision);
        return revision;
      });
    },
    /** The revision that was current at an instant, by the header that names the instant. */
    findRevisionAt: (header: string, instant: Date) =>
      revisionsByHeader.get(header) ??
      reader.revisionAt(instant.toISOString()).then(({ revision, isFinal }) => {
        if (revision && isFinal) revisionsByHeader.set(header, revision);
        return revision;
      }),
    countRecords: memoizeAsync(
      MAX_CACHED_RESULTS,
      ({ name }: Dataset, revision: number) => `${name} ${revision}`,
      async (dataset, revision): Promise<number> => {
        const { entries } = await reader.coverage([dataset], revision);
        return entries[0]?.count ?? 0;
      },
    ),
    /** The last change of a dataset, as of a revision; undefined before its first one. */
    findLastChange: memoizeAsync(
      MAX_CACHED_RESULTS,
      (dataset: string, revision: number) => `${dataset} ${revision}`,
      async (dataset, revision): Promise<LastChange | undefined> => {
        const filter = { datasets: [dataset], before: revision + 1, limit: 2 };
        const [last, earlier] = await reader.revisions(filter);
        if (!last) return undefined;
        const atMs = floorToSecondMs(last);
        const isAmbiguous = earlier !== undefined && atMs === floorToSecondMs(earlier);
        return { revision: last.revision, publishedAt: last.publishedAt, atMs, isAmbiguous };
      },
    ),
  };
}

/** The later of a dataset's last change and its declaration, which its responses depend on as well. */
export function includeDeclaration(
  change: LastChange | undefined,
  { declared }: { readonly declared?: Dataset['declared'] | undefined },
): LastChange | undefined {
  if (!declared) return change;
  const { revision, publishedAt } = declared;
  const atMs = floorToSecondMs(declared);
  // It may have been declared before in the same second.
  if (!change || change.revision < revision)
    return { revision, publishedAt, atMs, isAmbiguous: true };
  return { ...change, isAmbiguous: change.isAmbiguous || change.atMs === atMs };
}

/** Tells which history a response is of: when its revision was published, and the one it leads on from. */
export function setHistoryHeaders(
  { headers }: HttpResponse,
  { publishedAt, sincePublishedAt }: HistoryInstants,
): void {
  if (publishedAt !== undefined) headers.set('Tenor-Published-At', publishedAt);
  if (sincePublishedAt !== undefined) headers.set('Tenor-Since-Published-At', sincePublishedAt);
}

interface HistoryInstants {
  readonly publishedAt?: string | undefined;
  readonly sincePublishedAt?: string | undefined;
}

/** The same if the instants are not known yet. */
export async function withHistoryHeaders(
  { findRevision }: Pick<StoreLookups, 'findRevision'>,
  response: HttpResponse,
  since = 0,
): Promise<HttpResponse> {
  const current = await findRevision(response.revision ?? 0);
  const earlier = await findRevision(since);
  const sincePublishedAt = earlier?.publishedAt;
  setHistoryHeaders(response, { publishedAt: current?.publishedAt, sincePublishedAt });
  return response;
}

function floorToSecondMs({ publishedAt }: Pick<Revision, 'publishedAt'>): number {
  return Math.floor(Date.parse(publishedAt) / 1_000) * 1_000;
}
