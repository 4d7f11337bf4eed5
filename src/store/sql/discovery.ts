import type { AnyRecord, Dataset, RecordIn } from '../../catalogue/dataset.ts';
import type { Fund, Security } from '../../catalogue/discovery.ts';
import type { fundAllocation } from '../../catalogue/fund-allocation.ts';
import type { quotes } from '../../catalogue/quotes.ts';
import { tableOf } from '../../derive/table.ts';
import type { Coverage, Listing } from '../store.ts';
import type { Dialect } from './dialect.ts';
import { everySecurity, ledgerUpTo, outermost } from './securities.ts';
import type { Then } from './standing.ts';
import { ALL_THERE_IS } from './standing.ts';
import { everyRecord } from './statements.ts';
import type { Steps } from './steps.ts';
import { rowOf, rowsOf } from './steps.ts';

/** What the ledger tells of a dataset: its last revision up to the one that is asked for. */
interface LastEntry {
  readonly dataset: string;
  readonly revision: number;
  readonly published_at: string;
  readonly source: string;
  readonly sample: number;
  readonly newest: string | null;
  readonly count: number;
  /** Whether there are later revisions of the dataset. */
  readonly changed: boolean;
  readonly dialect: Dialect;
}

/** What is found by what the ledger tells of each dataset. */
export function* listing<T>(
  asOf: number | undefined,
  dialect: Dialect,
  find: (ledger: ReadonlyMap<string, LastEntry>) => Steps<readonly T[]>,
): Steps<Listing<T>> {
  const { sql, values } = ledgerUpTo(asOf);
  const rows = yield* rowsOf<LastEntry>(sql, values);
  // Engines may give large numbers as texts, and truth as a number.
  const last = rows.map((row) => ({
    ...row,
    count: Number(row.count),
    changed: Boolean(row.changed),
    dialect,
  }));
  const newest = Math.max(0, ...last.map(({ revision }) => revision));
  const entries = yield* find(new Map(last.map((entry) => [entry.dataset, entry])));
  return { revision: asOf ?? newest, entries };
}

/** How far each of the datasets reaches. */
export function* coverageOf(
  datasets: readonly Dataset[],
  ledger: ReadonlyMap<string, LastEntry>,
): Steps<Coverage[]> {
  const all: Coverage[] = [];
  for (const dataset of datasets) all.push(yield* coverageIn(dataset, ledger.get(dataset.name)));
  return all;
}

function* coverageIn(dataset: Dataset, last?: LastEntry): Steps<Coverage> {
  if (!last) return { dataset, ...EMPTY, count: 0, lastRevision: null };
  const { revision, published_at: publishedAt, source, sample, count } = last;
  const lastRevision = { revision, publishedAt, source, sample: sample === 1 };
  return { dataset, ...(yield* endsOf(dataset, last)), count, lastRevision };
}

type Ends = Pick<Coverage, 'first' | 'last'>;
const EMPTY: Ends = { first: null, last: null };

function* endsOf(dataset: Dataset, last: LastEntry): Steps<Ends> {
  if (last.count === 0) return EMPTY;
  if (dataset.shape === 'fund') {
    const funds = yield* fundsIn(dataset, last);
    const days = funds.flatMap(({ firstPeriod, lastPeriod }) =>
      firstPeriod && lastPeriod ? [firstPeriod.date, lastPeriod.date] : [],
    );
    days.sort();
    return { first: days[0] ?? null, last: days.at(-1) ?? null };
  }
  const field = dataset.period?.field ?? 'date';
  const at = function* (end: 'first' | 'last'): Steps<string | null> {
    const { sql, values } = outermost(tableOf(dataset), end, thenOf(last));
    const found = yield* rowOf<Stored>(sql, values);
    return found ? String(parsed<AnyRecord>(found.record)[field]) : null;
  };
  return { first: yield* at('first'), last: yield* at('last') };
}

/** Every security that a dataset has quotes of, by symbol. */
export function* securitiesIn(dataset: Dataset, last: LastEntry | undefined): Steps<Security[]> {
  if (!last?.count) return [];
  const { sql, values } = everySecurity(tableOf(dataset), thenOf(last));
  const rows = yield* rowsOf<Quoted>(sql, values);
  return rows.map((quoted) => {
    const { symbol, firstDate } = quoted;
    const { isin, type, maturityDate, date } = parsed<RecordIn<typeof quotes>>(quoted.newest);
    return { symbol, isin, type, maturityDate, firstDate, lastDate: date };
  });
}

/** Every fund of a dataset, by identifier. */
export function* fundsIn(dataset: Dataset, last: LastEntry | undefined): Steps<Fund[]> {
  if (!last?.count) return [];
  const { sql, values } = everyRecord(tableOf(dataset), thenOf(last));
  const rows = yield* rowsOf<Stored>(sql, values);
  return rows.map(({ record }) => {
    const { fund_id, frequency, periods } = parsed<RecordIn<typeof fundAllocation>>(record);
    // Periods are stored newest first.
    const [lastPeriod = null, firstPeriod = lastPeriod] = [periods[0], periods.at(-1)];
    return { fund_id, frequency, firstPeriod, lastPeriod };
  });
}

interface Stored {
  readonly record: string;
}

interface Quoted {
  readonly symbol: string;
  readonly firstDate: string;
  readonly newest: string;
}

/** Where to look for the records of a dataset's revision; undefined where they are the present. */
function thenOf({ changed, revision, newest, dialect }: LastEntry): Then | undefined {
  const { isLed, isSpread, isHeld } = dialect;
  if (!changed && !isSpread) return undefined;
  if (!changed && isHeld) return ALL_THERE_IS;
  return { revision, in: 'both', newestDay: newest, isLed, isSpread, isNewest: !changed };
}

function parsed<T>(text: string): T {
  return JSON.parse(text) as T;
}
