import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createPeriodKind } from '../../src/catalogue/model/period.ts';
import {
  createInProcessServer,
  type InProcessServer,
} from '../../src/http/server/in-process-server.ts';
import { formatDay, isWeekend, parseDay } from '../../src/shared/calendar.ts';
import { KIBOR } from '../support/declared-rates.ts';
import { fetchPages } from '../support/follow-links.ts';
import { quote } from '../support/quote-fixture.ts';
import { ENGINES, type TestStore } from '../support/store.ts';
import { publishDeclared } from '../transforms/declared-server.ts';

const FIRST_DAY = parseDay('2026-03-11');
const DAYS = Array.from({ length: 86 }, (_, index) => FIRST_DAY + index).filter(
  (day) => !isWeekend(day),
);

/** Six bonds, some not quoted on each day; on the last day of April too few for a curve. */
const QUOTES = DAYS.flatMap((day, index) =>
  Array.from({ length: 6 }, (_, bond) => ({
    ...quote({
      date: formatDay(day),
      symbol: `A${bond}`,
      isin: `ZZ000000000${bond}`,
      type: 'bond',
      maturityDate: `${2027 + bond}-06-01`,
      maturityYears: bond + 1,
      ytm: 10 + (index % 7) / 10 + bond / 10,
      volume: 100 * index,
    }),
  })).filter(({ date }, bond) => (date === '2026-04-30' ? bond < 2 : (index + bond) % 11 !== 0)),
);
/** Another symbol of the ISIN of A1, which comes after it on each day: 101 quotes end amid a day. */
const RENAMED = QUOTES.filter(({ symbol }) => symbol === 'A1').map((each) => ({
  ...each,
  symbol: 'B1',
  type: 'corporate' as const,
  ytm: 99,
}));
const RATES = DAYS.filter((_, index) => index % 9 !== 0).map((day, index) => ({
  date: formatDay(day),
  tenor: '6M',
  bid: 11 + (index % 5) / 4,
  offer: index % 6 === 0 ? null : 12 + index / 8,
}));

/** Each column, and whether a day without a figure is a gap in a coarser period. */
const COLUMNS = {
  'kibor.bid(tenor=6M)': true,
  'kibor.offer(tenor=6M)': true,
  'quotes.ytm(symbol=A1)': false,
  'quotes.ytm(symbol=zz0000000001)': false,
  'analytics.modifiedDuration(symbol=A1)': false,
  'analytics.zSpread(symbol=A2)': false,
  'analytics.spread(symbol=ZZ0000000003)': false,
  'curve.yield(tenor=3Y)': true,
  'curve.par(tenor=2y)': true,
} as const;
type Column = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as Column[];

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyTable = fc.record({
  columns: fc.uniqueArray(
    fc.record({
      column: fc.constantFrom(...NAMES),
      aggregate: fc.constantFrom('mean', 'first', 'last', 'min', 'max'),
    }),
    { minLength: 1, maxLength: 4, selector: ({ column, aggregate }) => `${column}@${aggregate}` },
  ),
  frequency: fc.constantFrom('week', 'month', 'quarter'),
  minShare: maybe(fc.constantFrom(0, 0.8, 0.95, 1)),
  isPartial: fc.boolean(),
  isObserved: fc.boolean(),
  sort: fc.constantFrom('asc', 'desc'),
  limit: maybe(fc.integer({ min: 1, max: 5 })),
});
type Table = typeof anyTable extends fc.Arbitrary<infer T> ? T : never;
type Daily = ReadonlyMap<string, readonly { day: number; figure: number | null }[]>;

/** What a table should have, from the figures of days. */
function aggregate(table: Table, daily: Daily): unknown[] {
  const kind = createPeriodKind(table.frequency);
  const findPeriod = (day: number) => kind.findOrdinal(day);
  const listDays = (column: Column) => [
    ...new Set((column.startsWith('kibor') ? RATES : QUOTES).map(({ date }) => parseDay(date))),
  ];
  const periods = new Set<number>();
  for (const { column } of table.columns)
    for (const { day } of daily.get(column) ?? []) periods.add(findPeriod(day));
  const compute = ({ column, aggregate: name }: Table['columns'][number], period: number) => {
    const days = listDays(column);
    const expected = days.filter((day) => findPeriod(day) === period).length;
    const found = (daily.get(column) ?? []).filter(({ day }) => findPeriod(day) === period);
    const figures = found.flatMap(({ figure }) => figure ?? []);
    const observed = table.isObserved ? [figures.length] : [];
    const isOver = Math.max(...days) >= kind.getFirstDay(period + 1);
    const isLast = /^(curve|analytics)/.test(column) && name === 'last';
    const least = table.minShare ?? (COLUMNS[column] && !isLast ? 1 : 0);
    const isUnknown = isLast && table.minShare === undefined && found.at(-1)?.figure === null;
    const isEnough = figures.length >= Math.max(1e-9, least * expected - 1e-9);
    if ((!isOver && !table.isPartial) || !isEnough || isUnknown) return [null, ...observed];
    const sum = figures.reduce((total, figure) => total + figure, 0);
    const result = {
      mean: sum / figures.length,
      first: figures[0],
      last: figures.at(-1),
      min: Math.min(...figures),
      max: Math.max(...figures),
    }[name];
    return [Number(result?.toPrecision(12)), ...observed];
  };
  const rows = [...periods]
    .sort((a, b) => (table.sort === 'asc' ? a - b : b - a))
    .map((period) => [
      kind.formatLabel(period),
      ...table.columns.flatMap((each) => compute(each, period)),
    ]);
  return rows;
}

const round = (value: unknown) =>
  typeof value === 'number' ? Number(value.toPrecision(12)) : value;

for (const { name: engine, createStore, scaleRuns } of ENGINES)
  describe(`${engine}: columns of /aligned`, () => {
    let store: TestStore;
    let server: InProcessServer;
    const daily = new Map<string, { day: number; figure: number | null }[]>();
    beforeAll(async () => {
      store = await createStore();
      await store.publish(quotes, [...QUOTES, ...RENAMED]);
      const terms = { couponRate: 11, couponFrequency: 2, issueDate: '2022-06-01' };
      await store.publish(
        securities,
        Array.from({ length: 6 }, (_, bond) => ({
          ...securities.example,
          symbol: `A${bond}`,
          isin: `ZZ000000000${bond}`,
          ...terms,
        })),
      );
      await publishDeclared(store, [[KIBOR, RATES]]);
      server = await createInProcessServer(store, catalogue);
      for (const column of NAMES) {
        const rows = await getRows(`columns=${encodeURIComponent(column)}&sort=asc&limit=100`);
        daily.set(
          column,
          rows.map(([period, figure]) => ({
            day: parseDay(String(period)),
            figure: figure as number | null,
          })),
        );
      }
    });
    afterAll(async () => {
      server.close();
      await store.remove();
    });
    const getRows = async (query: string) => {
      const pages = await fetchPages((target) => server.get(target), `/aligned?${query}`);
      return pages.flat().map((record) => Object.values(record));
    };

    test('aggregate as they say the figures that days have, in pages, in both orders', async () => {
      await fc.assert(
        fc.asyncProperty(anyTable, async (table) => {
          const { columns, frequency, minShare, isPartial, isObserved, sort, limit } = table;
          const texts = columns.map(({ column, aggregate: each }) => `${column}@${each}`);
          const query = new URLSearchParams({
            columns: texts.join(),
            frequency,
            sort,
            ...(minShare !== undefined && { min_share: String(minShare) }),
            ...(isPartial && { partial: 'true' }),
            ...(isObserved && { observed: 'true' }),
            ...(limit !== undefined && { limit: String(limit) }),
          });
          const pages = await fetchPages((target) => server.get(target), `/aligned?${query}`);
          const rows = pages.flat().map((record) => Object.values(record).map(round));
          expect(rows).toEqual(aggregate(table, daily) as never);
        }),
        { numRuns: scaleRuns(60) },
      );
    });

    test('have the figures of securities as /2.0/bnb/analytics gives them', async () => {
      const { data } = JSON.parse(
        await (await server.get('/2.0/bnb/analytics?symbol=A2&from=2026-01-01&limit=100')).text(),
      ) as { data: { date: string; zSpread: number | null }[] };
      expect(data.length).toBeGreaterThan(20);
      expect(data.some(({ zSpread }) => zSpread !== null)).toBeTrue();
      const rows = await getRows('columns=analytics.zSpread(symbol=A2)');
      expect(rows).toEqual(data.map(({ date, zSpread }) => [date, zSpread]));
    });
  });
