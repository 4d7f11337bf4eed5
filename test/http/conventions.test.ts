import { describe, expect, test } from 'bun:test';
import { holidays } from '../../src/catalogue/datasets/holidays.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { vectors } from '../bonds/quantlib-conventions.json';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { createStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const HEADER =
  'date,symbol,isin,type,maturityDate,bidPrice,askPrice,lastPrice,bidVolume,askVolume,volume';
const toQuotes = (...dates: string[]) =>
  [
    HEADER,
    ...dates.map((date) => `${date},ACME,ZZ0000000016,corporate,2036-10-15,0,0,98.5,0,0,0`),
    '',
  ].join('\n');

describe('conventions in terms', () => {
  let loaded: Awaited<ReturnType<Awaited<ReturnType<typeof createLoadWorkspace>>['load']>>[];
  const server = useTestServer(async () => {
    const workspace = await createLoadWorkspace(createStore);
    const load = (dataset: Parameters<typeof workspace.load>[0], text: string) => {
      workspace.writeFile('file.csv', text);
      return workspace.load(dataset, 'file.csv');
    };
    const conventions = 'dayCount,exDividendDays,settlementDays,calendar';
    loaded = [
      await load(
        securities,
        `symbol,couponRate,couponFrequency,${conventions}\nACME,12,2,30/360,7,2,zed\n`,
      ),
      await load(quotes, toQuotes('2026-06-25')),
      await load(holidays, 'calendar,date,name\nZED,2026-06-29,\nother,2026-06-30,\n'),
      await load(quotes, toQuotes('2026-06-25', '2026-10-01', '2026-10-02')),
      await load(holidays, 'calendar,date,name\nZED,2026-10-05,\n'),
    ];
    return workspace.store;
  });
  const read = async (target: string) => (await server.getJson(`/2.0/bnb/${target}`)).data;

  test('settle, accrue and yield as QuantLib does, by the holidays of a calendar', async () => {
    const vector = vectors.find(
      ({ dayCount, settlement, maturity }) =>
        dayCount === '30/360' && settlement === '2026-06-30' && maturity === '2036-10-15',
    );
    const [record] = await read('analytics?symbol=ACME&date=2026-06-25');
    expect(record.settlementDate).toBe('2026-06-30');
    for (const [figure, value] of Object.entries(vector?.figures ?? {}))
      expect(record[figure]).toBeCloseTo(value, 7);
    const [quote] = await read('quote?symbol=ACME&date=2026-06-25');
    expect(quote.ytm).toBeCloseTo(record.ytm, 5);
    expect(quote.maturityYears).toBeCloseTo(3760 / 365, 5);
  });

  test('are those of the revision that a response is as of', async () => {
    const [record] = await read('analytics?symbol=ACME&date=2026-06-25&as_of=2');
    expect(record).toMatchObject({ settlementDate: '2026-06-29', accrued: 2.46666667 });
  });

  test('leave the next coupon to the seller in the ex-dividend period', async () => {
    const records = await read('analytics?symbol=ACME&from=2026-10-01&to=2026-10-02&as_of=4');
    expect(records.map(({ accrued }: { accrued: number }) => accrued)).toEqual([-0.3, 5.66666667]);
    const [first] = await read('cashflows?symbol=ACME&date=2026-10-02&as_of=4');
    expect(first).toMatchObject({ date: '2027-04-15', coupon: 6 });
    const [due] = await read('cashflows?symbol=ACME&date=2026-10-01&as_of=4');
    expect(due).toMatchObject({ date: '2026-10-15', coupon: 6 });
  });

  test('follow a holiday that is published after the quotes', async () => {
    const [record] = await read('analytics?symbol=ACME&date=2026-10-01');
    expect(record).toMatchObject({ settlementDate: '2026-10-06', accrued: -0.3 });
  });

  test('are known, so that no yield that follows from them is a warning', () => {
    // The calendar of the terms had no holidays when they were loaded.
    const rules = loaded.map(({ report }) => report.warnings.map(({ rule }) => rule));
    expect(rules).toEqual([['unknown-calendar'], [], [], [], []]);
  });
});

/** Issued on a coupon day that is after the quote, two days before one, on a Saturday; and a bill. */
const NEW_ISSUES = [
  ['NEWBOND', 'bond', '2031-04-01', '98.5', '8,2,coupon,2026-04-01,'],
  ['MOVED', 'bond', '2031-04-01', '98.5', '8,2,coupon,2026-03-30,'],
  ['WEEKEND', 'bond', '2031-04-01', '98.5', '8,2,coupon,2026-03-28,'],
  ['NEWBILL', 'tbill', '2026-07-02', '97.5', ',,,2026-04-02,'],
  ['CALENDAR', 'bond', '2031-04-01', '98.5', '8,2,coupon,,ZED'],
] as const;

describe('a quote of Friday, 27 March 2026, with terms', () => {
  const server = useTestServer(async () => {
    const workspace = await createLoadWorkspace(createStore);
    const load = (dataset: Parameters<typeof workspace.load>[0], lines: readonly string[]) => {
      workspace.writeFile('file.csv', `${lines.join('\n')}\n`);
      return workspace.load(dataset, 'file.csv');
    };
    const terms = 'couponRate,couponFrequency,pricing,issueDate,calendar';
    await load(securities, [
      `symbol,${terms}`,
      ...NEW_ISSUES.map(([symbol, , , , values]) => `${symbol},${values}`),
    ]);
    const market = [
      HEADER,
      ...NEW_ISSUES.map(
        ([symbol, type, maturity, price], index) =>
          `2026-03-27,${symbol},ZZ000000000${index},${type},${maturity},0,0,${price},0,0,0`,
      ),
      '2026-03-26,NEWBOND,ZZ0000000000,bond,2031-04-01,0,0,98.5,0,0,0',
      '2026-03-26,WEEKEND,ZZ0000000002,bond,2031-04-01,0,0,98.5,0,0,0',
    ];
    await load(quotes, market);
    await load(holidays, ['calendar,date,name', 'zed,2026-03-30,']);
    await load(quotes, market);
    return workspace.store;
  });
  const readFirst = async (target: string) => (await server.getJson(`/2.0/bnb/${target}`)).data[0];

  test('settles on the day of issue, without interest of the time before it', async () => {
    for (const [symbol, settlementDate, years] of [
      ['NEWBOND', '2026-04-01', 1826 / 365],
      ['MOVED', '2026-03-30', 1828 / 365],
      ['NEWBILL', '2026-04-02', 91 / 365],
    ] as const) {
      const price = symbol === 'NEWBILL' ? 97.5 : 98.5;
      const figures = { settlementDate, accrued: 0, dirtyPrice: price };
      const record = await readFirst(`analytics?symbol=${symbol}`);
      expect(record).toMatchObject(figures);
      const quote = await readFirst(`quote?symbol=${symbol}`);
      expect(quote.maturityYears).toBeCloseTo(years, 5);
      expect(quote.ytm).toBeCloseTo(record.ytm, 5);
      expect(quote.duration).toBeCloseTo(record.modifiedDuration, 5);
    }
    expect((await readFirst('analytics?symbol=NEWBILL')).ytm).toBeCloseTo(
      ((100 / 97.5 - 1) * 36_500) / 91,
      6,
    );
  });

  test('settles as is usual, which those that are not issued yet do not tell', async () => {
    const records = (await server.getJson('/2.0/bnb/analytics?date=2026-03-26')).data;
    // Its years count from a Saturday, which is no number of weekdays later.
    expect(records).toMatchObject([
      { symbol: 'NEWBOND', settlementDate: '2026-04-01' },
      { symbol: 'WEEKEND', settlementDate: '2026-03-28' },
    ]);
  });

  test('has no coupon on the day of issue, nor within four days of it', async () => {
    for (const symbol of ['NEWBOND', 'MOVED'])
      expect(await readFirst(`cashflows?symbol=${symbol}`)).toMatchObject({
        date: '2026-10-01',
        coupon: 4,
      });
  });

  test('earns the coupon after the issue over a horizon, and no other', async () => {
    const target = 'analytics?symbol=NEWBOND&horizon=6M&repo=0';
    const { carry, ytm } = await readFirst(target);
    // On the next coupon day, 4.5 years are left.
    const growth = 1 + ytm / 200;
    const value = (4 * (1 - growth ** -9)) / (growth - 1) + 100 * growth ** -9;
    expect(carry).toBeCloseTo(((value + 4 - 98.5) / 98.5) * 100, 6);
  });

  test('settles on the next business day of a calendar without settlementDays', async () => {
    const settled = [2, 3, 4].map((revision) =>
      readFirst(`analytics?symbol=CALENDAR&as_of=${revision}`),
    );
    const [unknown, published, loadedAgain] = await Promise.all(settled);
    expect(unknown).toMatchObject({ settlementDate: '2026-03-30', accrued: 3.95604396 });
    const known = { settlementDate: '2026-03-31', accrued: 3.97802198 };
    expect([published, loadedAgain]).toMatchObject([known, known]);
    const quote = await readFirst('quote?symbol=CALENDAR');
    expect(quote.maturityYears).toBeCloseTo(1827 / 365, 5);
  });
});
