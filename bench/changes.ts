import { quotes } from '../src/catalogue/datasets/quotes.ts';
import { type ChangesSelection, readChanges } from '../src/operations/changes/read-changes.ts';
import type { Store, StoreReader } from '../src/store/open-store.ts';
import { formatLimitRow, type ResultRow } from './result-table.ts';
import { median } from './statistics.ts';

const ROUNDS = 5;
const DEEP_PAGES = 20;
const MAX_MS = { 100: 100, 10000: 1_000 } as const;

/** Measures how long a page of net changes takes, the first one and those deep inside. */
export async function benchmarkChanges(store: Store): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const limit of [100, 10_000] as const) {
    const reader = store.reader();
    const newest = await reader.revision();
    const ranges = [
      ['the last revision', newest - 1],
      ['the last 100 revisions', newest - 100],
      ['all revisions', 0],
    ] as const;
    for (const [name, since] of ranges)
      rows.push(
        await measurePages(reader, `${name} of ${newest}`, { since, until: newest, limit }),
      );
    reader.close();
  }
  return rows;
}

interface PageRange {
  readonly since: number;
  readonly until: number;
  readonly limit: keyof typeof MAX_MS;
}

async function measurePages(
  reader: StoreReader,
  name: string,
  range: PageRange,
): Promise<ResultRow> {
  const firstMs: number[] = [];
  const laterMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let position: ChangesSelection['position'];
    for (let page = 0; page <= DEEP_PAGES; page++) {
      const startedMs = performance.now();
      const { nextPosition } = await readChanges(reader, quotes, { ...range, position });
      (page === 0 ? firstMs : laterMs).push(performance.now() - startedMs);
      position = nextPosition;
      if (!position) break;
    }
  }
  const first = median(firstMs);
  const later =
    laterMs.length === 0 ? 'no other' : `${median(laterMs).toFixed(1)} ms each later one`;
  return formatLimitRow(
    `first page of ${range.limit.toLocaleString('en')} changes of ${name}, 1,000,000 quotes`,
    `${first.toFixed(1)} ms, ${later}`,
    Math.max(first, laterMs.length === 0 ? 0 : median(laterMs)),
    MAX_MS[range.limit],
    'ms',
  );
}
