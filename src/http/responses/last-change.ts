import type { Revision, StoreReader } from '../../store/open-store.ts';
import type { LastModified } from './preconditions.ts';

/** The revision that last changed a dataset, and when it was published. */
export interface LastChange extends LastModified {
  readonly revision: number;
  readonly publishedAt: string;
}

/** What last changed a dataset, as of a revision; undefined where nothing did. */
export type FindLastChange = (dataset: string, revision: number) => Promise<LastChange | undefined>;

const MAX_CACHED_CHANGES = 1_000;

/** Remembers what it found: what happened up to a revision never changes. */
export function createLastChangeLookup(reader: Pick<StoreReader, 'revisions'>): FindLastChange {
  const known = new Map<string, LastChange | undefined>();
  return async (dataset, revision) => {
    const key = `${dataset} ${revision}`;
    if (known.has(key)) return known.get(key);
    const which = { datasets: [dataset], before: revision + 1, limit: 2 };
    const [last, earlier] = await reader.revisions(which);
    const change = last && {
      revision: last.revision,
      publishedAt: last.publishedAt,
      atMs: floorToSecondMs(last),
      isAmbiguous: earlier !== undefined && floorToSecondMs(last) === floorToSecondMs(earlier),
    };
    if (known.size >= MAX_CACHED_CHANGES) known.clear();
    known.set(key, change);
    return change;
  };
}

/** When the second began in which it was published. */
function floorToSecondMs({ publishedAt }: Revision): number {
  return Math.floor(Date.parse(publishedAt) / 1_000) * 1_000;
}
