import type { Revision, StoreReader } from '../../store/open-store.ts';

/** Finds the revision that stood at an instant, which a header names. */
export type FindRevisionAt = (
  header: string,
  instant: Date,
) => Revision | Promise<Revision | undefined> | undefined;

/** A revision is visible soon after its instant; what is older than this stays as it is. */
const STABLE_AFTER_MS = 60_000;
const MAX_CACHED_INSTANTS = 1_000;

/** Remembers what it found: which revision stood at an instant that is well past never changes. */
export function createRevisionAtLookup(reader: Pick<StoreReader, 'revisionAt'>): FindRevisionAt {
  const known = new Map<string, Revision>();
  return (header, instant) =>
    known.get(header) ??
    reader.revisionAt(instant.toISOString()).then((revision) => {
      if (known.size >= MAX_CACHED_INSTANTS) known.clear();
      if (revision && instant.getTime() < Date.now() - STABLE_AFTER_MS) known.set(header, revision);
      return revision;
    });
}
