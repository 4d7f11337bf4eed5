import type { Reader, Revision } from '../../store/index.ts';
import type { Modified } from './conditional.ts';

/** The revision that last changed a dataset, and when it was published. */
export interface Change extends Modified {
  readonly revision: number;
  readonly publishedAt: string;
}

/** What last changed a dataset, as of a revision; undefined where nothing did. */
export type Changed = (dataset: string, revision: number) => Promise<Change | undefined>;

const MOST_REMEMBERED = 1_000;

/** Remembers what it found: what happened up to a revision never changes. */
export function changed(reader: Pick<Reader, 'revisions'>): Changed {
  const known = new Map<string, Change | undefined>();
  return async (dataset, revision) => {
    const key = `${dataset} ${revision}`;
    if (known.has(key)) return known.get(key);
    const which = { datasets: [dataset], before: revision + 1, limit: 2 };
    const [last, earlier] = await reader.revisions(which);
    const change = last && {
      revision: last.revision,
      publishedAt: last.publishedAt,
      atMs: secondMs(last),
      isShared: earlier !== undefined && secondMs(last) === secondMs(earlier),
    };
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, change);
    return change;
  };
}

/** When the second began in which it was published. */
function secondMs({ publishedAt }: Revision): number {
  return Math.floor(Date.parse(publishedAt) / 1_000) * 1_000;
}
