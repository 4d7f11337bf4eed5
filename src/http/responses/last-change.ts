import { memoizeAsync } from '../../memoize.ts';
import type { Revision, StoreReader } from '../../store/open-store.ts';
import type { LastModified } from './preconditions.ts';

/** The revision that last changed a dataset, and when it was published. */
export interface LastChange extends LastModified {
  readonly revision: number;
  readonly publishedAt: string;
}

/** Finds what last changed a dataset, as of a revision; undefined before its first one. */
export type FindLastChange = (dataset: string, revision: number) => Promise<LastChange | undefined>;

const MAX_CACHED_CHANGES = 1_000;

/** Results never change, because the ledger up to a revision does not. */
export function createLastChangeLookup(reader: Pick<StoreReader, 'revisions'>): FindLastChange {
  return memoizeAsync(
    MAX_CACHED_CHANGES,
    (dataset, revision) => `${dataset} ${revision}`,
    async (dataset, revision) => {
      const filter = { datasets: [dataset], before: revision + 1, limit: 2 };
      const [last, earlier] = await reader.revisions(filter);
      if (!last) return undefined;
      const atMs = floorToSecondMs(last);
      const isAmbiguous = earlier !== undefined && atMs === floorToSecondMs(earlier);
      return { revision: last.revision, publishedAt: last.publishedAt, atMs, isAmbiguous };
    },
  );
}

function floorToSecondMs({ publishedAt }: Revision): number {
  return Math.floor(Date.parse(publishedAt) / 1_000) * 1_000;
}
