import type { Reader } from '../store/index.ts';
import type { Modified } from './conditional.ts';

/** When a dataset was last changed, as of a revision; undefined where it never was. */
export type Changed = (dataset: string, revision: number) => Promise<Modified | undefined>;

const MOST_REMEMBERED = 1_000;

/** Remembers what it found: what happened up to a revision never changes. */
export function changed(reader: Pick<Reader, 'revisions'>): Changed {
  const known = new Map<string, Modified | undefined>();
  return async (dataset, revision) => {
    const key = `${dataset} ${revision}`;
    if (known.has(key)) return known.get(key);
    const which = { datasets: [dataset], before: revision + 1, limit: 2 };
    const [last, earlier] = (await reader.revisions(which)).map(({ publishedAt }) =>
      Math.floor(Date.parse(publishedAt) / 1_000),
    );
    const modified =
      last === undefined ? undefined : { atMs: last * 1_000, isShared: last === earlier };
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, modified);
    return modified;
  };
}
