import { quotes } from '../src/catalogue/datasets/quotes.ts';
import type { QuoteSelection, Store } from '../src/store/open-store.ts';
import { formatSymbol } from './generate-quotes-file.ts';
import { DAILY_REVISIONS, FIRST_DAYS } from './history-database.ts';
import { days } from './million-quotes.ts';
import type { ResultRow } from './result-table.ts';
import { median } from './statistics.ts';

const ROUNDS = 9;
const READS = 1_000;
const SECURITIES = 500;

/** Uncached reads as of a revision, compared with current ones. */
export async function benchmarkAsOfReads(store: Store): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const comparison of COMPARISONS) rows.push(await compare(store, comparison));
  return rows;
}

interface Comparison {
  readonly label: string;
  readonly asOf: number;
  readonly select: (iteration: number) => QuoteSelection;
  /** The comparable current selection, if the same one would match more records. */
  readonly selectCurrent?: (iteration: number) => QuoteSelection;
}

const BASE = { kind: 'quotes', dataset: quotes, limit: 100 } as const;
/** Revisions before the daily ones, and in the middle of them. */
const EARLY_REVISION = 2;
const MIDDLE_REVISION = 2 + DAILY_REVISIONS / 2;
const ALL_DATES = ['0001-01-01', '9999-12-31'] as const;

const getNewestDayIndex = (revision: number) => days.length - DAILY_REVISIONS + revision - 3;
const pickDay = (iteration: number, from: number, to: number) =>
  days[from + ((iteration * 7_919) % (to - from))] ?? '';
const pickSymbol = (iteration: number) => formatSymbol((iteration * 7_919) % SECURITIES);
const pickType = (iteration: number) =>
  (['tbill', 'bond', 'corporate'] as const)[iteration % 3] ?? 'bond';

const selectHistory = (iteration: number): QuoteSelection => {
  const last = pickDay(iteration * 31, 200, getNewestDayIndex(EARLY_REVISION));
  return { ...BASE, security: pickSymbol(iteration), dateRange: ['0001-01-01', last] };
};
const selectSnapshot = (revision: number) => (iteration: number) => {
  const day = pickDay(iteration, getNewestDayIndex(revision) - 90, getNewestDayIndex(revision));
  return { ...BASE, dateRange: [day, day] as const };
};
const formatRevisionsAgo = (revision: number) => `${DAILY_REVISIONS + 2 - revision} revisions ago`;
const LATER_DAYS_LABEL = `before ${days.length - FIRST_DAYS} later days`;

const COMPARISONS: readonly Comparison[] = [
  {
    label: `history of one security, ${formatRevisionsAgo(EARLY_REVISION)}`,
    asOf: EARLY_REVISION,
    select: selectHistory,
  },
  {
    label: `latest quote of one security, ${formatRevisionsAgo(EARLY_REVISION)}`,
    asOf: EARLY_REVISION,
    select: (iteration) => ({ ...BASE, security: pickSymbol(iteration) }),
  },
  {
    label: `snapshot of one day, ${formatRevisionsAgo(EARLY_REVISION)}`,
    asOf: EARLY_REVISION,
    select: selectSnapshot(EARLY_REVISION),
  },
  {
    label: `snapshot of one day, half of it corrected, ${formatRevisionsAgo(MIDDLE_REVISION)}`,
    asOf: MIDDLE_REVISION,
    select: selectSnapshot(MIDDLE_REVISION),
  },
  {
    label: `latest snapshot of one type, ${formatRevisionsAgo(EARLY_REVISION)}`,
    asOf: EARLY_REVISION,
    select: (iteration) => ({ ...BASE, type: pickType(iteration) }),
  },
  {
    label: `range of days of one type, ${formatRevisionsAgo(EARLY_REVISION)}`,
    asOf: EARLY_REVISION,
    select: (iteration) => {
      const last = pickDay(iteration, 0, getNewestDayIndex(EARLY_REVISION));
      return { ...BASE, type: pickType(iteration), dateRange: ['0001-01-01', last] };
    },
  },
  {
    label: `all there was of one security, ${LATER_DAYS_LABEL}`,
    asOf: 1,
    select: (iteration) => ({ ...BASE, security: pickSymbol(iteration), dateRange: ALL_DATES }),
    selectCurrent: (iteration) => ({
      ...BASE,
      security: pickSymbol(iteration),
      dateRange: ['0001-01-01', days[FIRST_DAYS - 1] ?? ''],
    }),
  },
  {
    label: `latest snapshot of one type, ${LATER_DAYS_LABEL}`,
    asOf: 1,
    select: (iteration) => ({ ...BASE, type: pickType(iteration) }),
  },
];

async function compare(
  store: Store,
  { label, asOf, select, selectCurrent = select }: Comparison,
): Promise<ResultRow> {
  const reader = store.reader();
  const { count } = await reader.read({ ...select(1), asOf });
  const current = await reader.read(selectCurrent(1));
  if (count === 0 || count !== current.count)
    throw new Error(`${label}: ${count}, currently ${current.count}`);
  const rate = async (round: number, selection: (iteration: number) => QuoteSelection) => {
    const started = performance.now();
    const from = round * READS;
    for (let index = from; index < from + READS; index++) await reader.read(selection(index));
    return (READS * 1_000) / (performance.now() - started);
  };
  const rates: { asOf: number; current: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const asOfRate = await rate(round, (iteration) => ({ ...select(iteration), asOf }));
    const currentRate = await rate(round, selectCurrent);
    // The first round warms both up.
    if (round > 0) rates.push({ asOf: asOfRate, current: currentRate });
  }
  reader.close();
  return {
    label: `${label} (${count} ${count === 1 ? 'record' : 'records'}), uncached`,
    measured: `${Math.round(median(rates.map((round) => round.asOf)))} reads/s`,
    baseline: `${Math.round(median(rates.map((round) => round.current)))} reads/s, current`,
    ratio: median(rates.map((round) => round.asOf / round.current)),
    aim: '≥ 0.60',
  };
}
