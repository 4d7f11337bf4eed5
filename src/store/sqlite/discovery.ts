import type { Database } from 'bun:sqlite';
import type { AnyRecord, Dataset, RecordIn } from '../../catalogue/dataset.ts';
import type { Fund, Security } from '../../catalogue/discovery.ts';
import type { fundAllocation } from '../../catalogue/fund-allocation.ts';
import type { quotes } from '../../catalogue/quotes.ts';
import { tableOf } from '../../derive/table.ts';
import { everySecurity, ledgerUpTo, outermost } from '../discovery-statements.ts';
import type { Statement, Then } from '../statements.ts';
import { everyRecord } from '../statements.ts';
import type { Coverage, Listing, Reads } from '../store.ts';
import { reaching } from './connection.ts';

/** What can be asked about what there is, through a connection. */
export function discoveryOn(database: Database): Pick<Reads, 'coverage' | 'securities' | 'funds'> {
  const of = <T>(dataset: Dataset, find: Find<T>, asOf?: number) =>
    listing(database, asOf, (ledger) => find(database, dataset, ledger.get(dataset.name)));
  return {
    coverage: async (datasets, asOf) =>
      listing(database, asOf, (ledger) =>
        datasets.map((dataset) => coverageOf(database, dataset, ledger.get(dataset.name))),
      ),
    securities: async (dataset, asOf) => of(dataset, securitiesIn, asOf),
    funds: async (dataset, asOf) => of(dataset, fundsIn, asOf),
  };
}

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
  readonly changed: 0 | 1;
}

type Find<T> = (database: Database, dataset: Dataset, last: LastEntry | undefined) => T[];

/** In a transaction, because several statements see one revision only there. */
function listing<T>(
  database: Database,
  asOf: number | undefined,
  find: (ledger: ReadonlyMap<string, LastEntry>) => readonly T[],
): Listing<T> {
  const look = database.transaction(() => {
    const last = all<LastEntry>(database, ledgerUpTo(asOf ?? Number.MAX_SAFE_INTEGER));
    const newest = Math.max(0, ...last.map(({ revision }) => revision));
    const entries = find(new Map(last.map((entry) => [entry.dataset, entry])));
    return { revision: asOf ?? newest, entries };
  });
  return reaching(look);
}

function coverageOf(database: Database, dataset: Dataset, last?: LastEntry): Coverage {
  if (!last) return { dataset, ...EMPTY, count: 0, lastRevision: null };
  const { revision, published_at: publishedAt, source, sample, count } = last;
  const lastRevision = { revision, publishedAt, source, sample: sample === 1 };
  return { dataset, ...endsOf(database, dataset, last), count, lastRevision };
}

type Ends = Pick<Coverage, 'first' | 'last'>;
const EMPTY: Ends = { first: null, last: null };

function endsOf(database: Database, dataset: Dataset, last: LastEntry): Ends {
  if (last.count === 0) return EMPTY;
  if (dataset.shape === 'fund') {
    const funds = fundsIn(database, dataset, last);
    const days = funds.flatMap(({ firstPeriod, lastPeriod }) =>
      firstPeriod && lastPeriod ? [firstPeriod.date, lastPeriod.date] : [],
    );
    days.sort();
    return { first: days[0] ?? null, last: days.at(-1) ?? null };
  }
  const field = dataset.period?.field ?? 'date';
  const at = (end: 'first' | 'last') => {
    const [found] = all<Stored>(database, outermost(tableOf(dataset), end, thenOf(last)));
    return found ? String(parsed<AnyRecord>(found.record)[field]) : null;
  };
  return { first: at('first'), last: at('last') };
}

function securitiesIn(database: Database, dataset: Dataset, last?: LastEntry): Security[] {
  if (!last?.count) return [];
  return all<Quoted>(database, everySecurity(tableOf(dataset), thenOf(last))).map((quoted) => {
    const { symbol, firstDate } = quoted;
    const { isin, type, maturityDate, date } = parsed<RecordIn<typeof quotes>>(quoted.newest);
    return { symbol, isin, type, maturityDate, firstDate, lastDate: date };
  });
}

function fundsIn(database: Database, dataset: Dataset, last?: LastEntry): Fund[] {
  if (!last?.count) return [];
  return all<Stored>(database, everyRecord(tableOf(dataset), thenOf(last))).map(({ record }) => {
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
function thenOf({ changed, revision, newest }: LastEntry): Then | undefined {
  return changed ? { revision, in: 'both', newestDay: newest } : undefined;
}

function all<T>(database: Database, { sql, values }: Statement): T[] {
  return database.query<T, (string | number)[]>(sql).all(...values);
}

function parsed<T>(text: string): T {
  return JSON.parse(text) as T;
}
