import { quotes } from '../src/catalogue/datasets/quotes.ts';
import type { QuoteSelection, Store } from '../src/store/open-store.ts';
import { symbolOf } from './generate-quotes-file.ts';
import { DAILY, FIRST_DAYS } from './history-database.ts';
import { days } from './million-quotes.ts';
import { median, type Row } from './result-table.ts';

const ROUNDS = 9;
const READS = 1_000;
const SECURITIES = 500;

/** Answers of the past that were never asked for, against those of the present. */
export async function past(store: Store): Promise<Row[]> {
  const rows: Row[] = [];
  for (const comparison of comparisons) rows.push(await compare(store, comparison));
  return rows;
}

interface Comparison {
  readonly what: string;
  readonly asOf: number;
  readonly select: (iteration: number) => QuoteSelection;
  /** What is asked of the present, where the same would find more there. */
  readonly selectNow?: (iteration: number) => QuoteSelection;
}

const BASE = { kind: 'quotes', dataset: quotes, limit: 100 } as const;
/** Before the revisions of a day each, and in the midst of them. */
const EARLY = 2;
const MIDDLE = 2 + DAILY / 2;
const EVER = ['0001-01-01', '9999-12-31'] as const;

const newestOf = (revision: number) => days.length - DAILY + revision - 3;
const dayAmong = (iteration: number, from: number, to: number) =>
  days[from + ((iteration * 7_919) % (to - from))] ?? '';
const security = (iteration: number) => symbolOf((iteration * 7_919) % SECURITIES);
const type = (iteration: number) =>
  (['tbill', 'bond', 'corporate'] as const)[iteration % 3] ?? 'bond';

const history = (iteration: number): QuoteSelection => {
  const last = dayAmong(iteration * 31, 200, newestOf(EARLY));
  return { ...BASE, security: security(iteration), dateRange: ['0001-01-01', last] };
};
const snapshot = (revision: number) => (iteration: number) => {
  const day = dayAmong(iteration, newestOf(revision) - 90, newestOf(revision));
  return { ...BASE, dateRange: [day, day] as const };
};
const ago = (revision: number) => `${DAILY + 2 - revision} revisions ago`;
const laterDays = `before ${days.length - FIRST_DAYS} later days`;

const comparisons: readonly Comparison[] = [
  { what: `history of one security, ${ago(EARLY)}`, asOf: EARLY, select: history },
  {
    what: `latest quote of one security, ${ago(EARLY)}`,
    asOf: EARLY,
    select: (iteration) => ({ ...BASE, security: security(iteration) }),
  },
  { what: `snapshot of one day, ${ago(EARLY)}`, asOf: EARLY, select: snapshot(EARLY) },
  {
    what: `snapshot of one day, half of it corrected, ${ago(MIDDLE)}`,
    asOf: MIDDLE,
    select: snapshot(MIDDLE),
  },
  {
    what: `latest snapshot of one type, ${ago(EARLY)}`,
    asOf: EARLY,
    select: (iteration) => ({ ...BASE, type: type(iteration) }),
  },
  {
    what: `range of days of one type, ${ago(EARLY)}`,
    asOf: EARLY,
    select: (iteration) => {
      const last = dayAmong(iteration, 0, newestOf(EARLY));
      return { ...BASE, type: type(iteration), dateRange: ['0001-01-01', last] };
    },
  },
  {
    what: `all there was of one security, ${laterDays}`,
    asOf: 1,
    select: (iteration) => ({ ...BASE, security: security(iteration), dateRange: EVER }),
    selectNow: (iteration) => ({
      ...BASE,
      security: security(iteration),
      dateRange: ['0001-01-01', days[FIRST_DAYS - 1] ?? ''],
    }),
  },
  {
    what: `latest snapshot of one type, ${laterDays}`,
    asOf: 1,
    select: (iteration) => ({ ...BASE, type: type(iteration) }),
  },
];

async function compare(
  store: Store,
  { what, asOf, select, selectNow = select }: Comparison,
): Promise<Row> {
  const reader = store.reader();
  const { count } = await reader.read({ ...select(1), asOf });
  const now = await reader.read(selectNow(1));
  if (count === 0 || count !== now.count) throw new Error(`${what}: ${count}, now ${now.count}`);
  const rate = async (round: number, selection: (iteration: number) => QuoteSelection) => {
    const started = performance.now();
    const from = round * READS;
    for (let turn = from; turn < from + READS; turn++) await reader.read(selection(turn));
    return (READS * 1_000) / (performance.now() - started);
  };
  const rates: { past: number; present: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const past = await rate(round, (turn) => ({ ...select(turn), asOf }));
    const present = await rate(round, selectNow);
    // The first round warms both up.
    if (round > 0) rates.push({ past, present });
  }
  reader.close();
  return {
    what: `${what} (${count} ${count === 1 ? 'record' : 'records'}), never asked before`,
    measured: `${Math.round(median(rates.map(({ past }) => past)))} reads/s`,
    against: `${Math.round(median(rates.map(({ present }) => present)))} reads/s, of the present`,
    ratio: median(rates.map(({ past, present }) => past / present)),
    aim: '≥ 0.50',
  };
}
