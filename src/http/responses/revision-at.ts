import { createBoundedMap } from '../../memoize.ts';
import type { Revision, StoreReader } from '../../store/open-store.ts';

/** Finds the revision that was current at an instant, by the header that names the instant. */
export type FindRevisionAt = (
  header: string,
  instant: Date,
) => Revision | Promise<Revision | undefined> | undefined;

/** A revision becomes visible soon after its instant: older results do not change. */
const STABLE_AFTER_MS = 60_000;
const MAX_CACHED_INSTANTS = 1_000;

/** Caches results for instants that are well in the past. */
export function createRevisionAtLookup(reader: Pick<StoreReader, 'revisionAt'>): FindRevisionAt {
  const cache = createBoundedMap<string, Revision>(MAX_CACHED_INSTANTS);
  return (header, instant) =>
    cache.get(header) ??
    reader.revisionAt(instant.toISOString()).then((revision) => {
      if (revision && instant.getTime() < Date.now() - STABLE_AFTER_MS) cache.set(header, revision);
      return revision;
    });
}
