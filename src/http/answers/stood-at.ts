import type { Reader, Revision } from '../../store/index.ts';

/** Finds the revision that stood at an instant, which a header names. */
export type StoodAt = (
  header: string,
  instant: Date,
) => Revision | Promise<Revision | undefined> | undefined;

/** A revision is visible soon after its instant; what is older than this stays as it is. */
const SETTLED_MS = 60_000;
const MOST_REMEMBERED = 1_000;

/** Remembers what it found: which revision stood at an instant that is well past never changes. */
export function stoodAt(reader: Pick<Reader, 'revisionAt'>): StoodAt {
  const known = new Map<string, Revision>();
  return (header, instant) =>
    known.get(header) ??
    reader.revisionAt(instant.toISOString()).then((stood) => {
      if (known.size >= MOST_REMEMBERED) known.clear();
      if (stood && instant.getTime() < Date.now() - SETTLED_MS) known.set(header, stood);
      return stood;
    });
}
