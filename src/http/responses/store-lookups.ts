import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import { createBoundedMap, memoizeAsync } from '../../shared/memoize.ts';
import type { Revision, StoreReader } from '../../store/open-store.ts';
import type { HttpResponse } from './response.ts';
import type { LastModified } from './validators.ts';

/** Results of the store that never change, cached. */
export type StoreLookups = ReturnType<typeof createStoreLookups>;

/** The revision that last changed a dataset, and when it was published. */
export interface LastChange extends LastModified {
  readonly revision: number;
  readonly publishedAt: string;
}

const MAX_CACHED_RESULTS = 1_000;

export function createStoreLookups(
  reader: Pick<StoreReader, 'revision' | 'revisions' | 'revisionAt'>,
) {
  const revisionsByNumber = createBoundedMap<number, Revision>(MAX_CACHED_RESULTS);
  const revisionsByHeader = createBoundedMap<string, Revision>(MAX_CACHED_RESULTS);
  const readRevision = async (number: number) => {
    const [newest] = await reader.revisions({ before: number + 1, limit: 1 });
    return newest?.revision === number ? newest : undefined;
  };
  return {
    /** The revision of a number; undefined where there is none yet. */
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
  { declared }: Pick<Dataset, 'declared'>,
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

/** The same where the instants are not known yet. */
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
