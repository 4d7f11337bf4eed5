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
  readonly select: (turn: number) => QuoteSelection;
  /** What is asked of the present, where the same would find more there. */
  readonly selectNow?: (turn: number) => QuoteSelection;
}

const BASE = { find: 'quotes', dataset: quotes, limit: 100 } as const;
/** Before the revisions of a day each, and in the midst of them. */
const EARLY = 2;
const MIDDLE = 2 + DAILY / 2;
const EVER = ['0001-01-01', '9999-12-31'] as const;

const newestOf = (revision: number) => days.length - DAILY + revision - 3;
const dayAmong = (turn: number, from: number, to: number) =>
  days[from + ((turn * 7_919) % (to - from))] ?? '';
const security = (turn: number) => symbolOf((turn * 7_919) % SECURITIES);
const type = (turn: number) => (['tbill', 'bond', 'corporate'] as const)[turn % 3] ?? 'bond';

const history = (turn: number): QuoteSelection => {
  const last = dayAmong(turn * 31, 200, newestOf(EARLY));
  return { ...BASE, security: security(turn), between: ['0001-01-01', last] };
};
const snapshot = (revision: number) => (turn: number) => {
  const day = dayAmong(turn, newestOf(revision) - 90, newestOf(revision));
  return { ...BASE, between: [day, day] as const };
};
const ago = (revision: number) => `${DAILY + 2 - revision} revisions ago`;
const laterDays = `before ${days.length - FIRST_DAYS} later days`;

const comparisons: readonly Comparison[] = [
  { what: `history of one security, ${ago(EARLY)}`, asOf: EARLY, select: history },
  {
    what: `latest quote of one security, ${ago(EARLY)}`,
    asOf: EARLY,
    select: (turn) => ({ ...BASE, security: security(turn) }),
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
    select: (turn) => ({ ...BASE, type: type(turn) }),
  },
  {
    what: `range of days of one type, ${ago(EARLY)}`,
    asOf: EARLY,
    select: (turn) => {
      const last = dayAmong(turn, 0, newestOf(EARLY));
      return { ...BASE, type: type(turn), between: ['0001-01-01', last] };
    },
  },
  {
    what: `all there was of one security, ${laterDays}`,
    asOf: 1,
    select: (turn) => ({ ...BASE, security: security(turn), between: EVER }),
    selectNow: (turn) => ({
      ...BASE,
      security: security(turn),
      between: ['0001-01-01', days[FIRST_DAYS - 1] ?? ''],
    }),
  },
  {
    what: `latest snapshot of one type, ${laterDays}`,
    asOf: 1,
    select: (turn) => ({ ...BASE, type: type(turn) }),
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
  const rate = async (round: number, selection: (turn: number) => QuoteSelection) => {
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
