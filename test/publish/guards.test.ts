import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import {
  mobileMoneyAccountsMale as accounts,
  atmTransactionsQuarterlyValue as atmQuarterly,
  mobileMoneyMarketShareValue as marketShare,
  onlineBankingAnnualVolume as online,
} from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { GuardError, LoadValidationError } from '../../src/publish/errors.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';
import { quote } from '../support/quote-fixture.ts';

const HEADER = 'year,cash_wtl,cash_deposit,funds_transfer,total';
const csv = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');

const workspace = useLoadWorkspace();

/** What is stored with a revision. */
async function readEntry(revision: number) {
  const reader = workspace.store.reader();
  try {
    return await reader.ledgerEntry(revision);
  } finally {
    reader.close();
  }
}

describe('a warning rule', () => {
  test('that is muted is counted but not reported, satisfies a strict load, and is kept with the revision', async () => {
    workspace.writeFile('a.csv', csv('2022,1,1,1,9', '2024,1,1,1,9'));
    const mute = ['parts-off-total', 'period-gap'];
    const { report } = await workspace.load(online, 'a.csv', { mapping: { mute }, isStrict: true });
    expect(report.warnings).toEqual([]);
    expect(report.muted).toEqual({ 'parts-off-total': 2, 'period-gap': 1 });
    const entry = await readEntry(1);
    expect(entry?.options).toEqual({ options: { strict: true }, muted: mute });
    expect(entry?.report).toMatchObject({ muted: report.muted });
  });

  test('that is refused rejects a load, and only its warnings are reported', async () => {
    workspace.writeFile('a.csv', csv('2022,1,1,1,9', '2024,1,1,1,3'));
    const mapping = { refuse: ['parts-off-total'] };
    const loading = workspace.load(online, 'a.csv', { mapping, isDryRun: true });
    const rejection = await loading.catch((cause) => cause);
    expect(rejection).toBeInstanceOf(LoadValidationError);
    expect(rejection).toMatchObject({ problems: [], count: 1 });
    expect(rejection.report.warnings).toMatchObject([
      { rule: 'parts-off-total', first: [{ file: 'a.csv', at: 2, field: 'total', value: 9 }] },
    ]);
    workspace.writeFile('a.csv', csv('2022,1,1,1,3', '2024,1,1,1,3'));
    const { report } = await workspace.load(online, 'a.csv', { mapping });
    expect(report.warnings).toMatchObject([{ rule: 'period-gap' }]);
    expect((await readEntry(1))?.options).toEqual({ refused: ['parts-off-total'] });
  });
});

const years = (count: number, cash = 1, from = 1990) =>
  csv(...Array.from({ length: count }, (_, index) => `${from + index},${cash},1,1,${cash + 2}`));

const json = (records: readonly unknown[]) => JSON.stringify(records);

/** The rules of a load's warnings, each with the first one. */
async function loadWarnings(...load: Parameters<typeof workspace.load>) {
  const { report } = await workspace.load(...load);
  return report.warnings.map(({ rule, first: [warning] }) => ({ rule, ...warning }));
}

/** The rules of what a check warns of. */
async function checkRules(today: string) {
  const inspector = workspace.store.inspector();
  try {
    const { warnings } = await checkDatabase(inspector, catalogue, { today });
    return warnings.map(({ rule, first: [warning] }) => `${rule}: ${warning?.text}`);
  } finally {
    inspector.close();
  }
}

test('a month that lacks half of the provinces of the one before is stopped, unless it is partial', async () => {
  const { example } = accounts;
  const partial = { ...example, provinces: example.provinces.slice(2) };
  await workspace.store.publish(accounts, [{ ...example, period: 'May 2026' }]);
  workspace.writeFile('a.json', JSON.stringify([partial]));
  expect(workspace.load(accounts, 'a.json')).rejects.toThrow(
    'Jun 2026 of mobile-money-accounts-male has 2 of the 4 series of the period before; --partial publishes it',
  );
  expect(await loadWarnings(accounts, 'a.json', { isPartial: true })).toMatchObject([
    { rule: 'unknown-key' },
  ]);
});

describe('a date in the future', () => {
  const dated = (date: string) => quote({ date, maturityDate: '2070-01-01', maturityYears: 9 });
  const today = '2026-11-16';

  test('of a quote is rejected beyond one day ahead, unless it is allowed', async () => {
    workspace.writeFile('a.json', json([dated('2026-11-17'), dated('2062-04-07')]));
    expect(await workspace.loadProblems(quotes, 'a.json', { today, isDryRun: true })).toEqual([
      'a.json record 2 (line 1), date: "2062-04-07" must be a day up to 2026-11-17; --future allow publishes it',
    ]);
    const options = { today, allowsFuture: true };
    expect((await workspace.load(quotes, 'a.json', options)).counts.added).toBe(2);
    expect((await readEntry(1))?.options).toEqual({ options: { future: 'allow' } });
    expect(await checkRules(today)).toContain(
      `future-date: 2062-04-07 ${dated('').symbol}: 2062-04-07 is not a day up to 2026-11-17`,
    );
  });

  test.each([
    [online.name, online, '2027', '2028', '2027'],
    [online.name, online, 'FY27', 'FY28', '2027'],
    [atmQuarterly.name, atmQuarterly, 'Q2 2027', 'Q3 2027', 'Q2 2027'],
    [accounts.name, accounts, 'Nov 2026', 'Dec 2026', 'Nov 2026'],
  ] as const)(
    'of %s is rejected if the period has not started',
    async (_, dataset, last, label, latest) => {
      const field = dataset.period?.field ?? '';
      const record = (value: string) => ({ ...(dataset.example as object), [field]: value });
      workspace.writeFile('a.json', json([record(last), record(label)]));
      expect(await workspace.loadProblems(dataset, 'a.json', { today })).toEqual([
        `a.json record 2 (line 1), ${field}: "${label}" must be a period that has started by 2026-11-17, at most ${latest}; --future allow publishes it`,
      ]);
      const options = { today, allowsFuture: true };
      expect((await workspace.load(dataset, 'a.json', options)).counts.added).toBe(2);
    },
  );

  test('of a fund is rejected if its month has not started', async () => {
    const record = (date: string) => ({
      ...fundAllocation.example,
      periods: [{ label: 'a', date }],
      rows: [{ label: 'Cash', values: [100] }],
    });
    workspace.writeFile('a.json', json([record('2026-12-01')]));
    expect(await workspace.loadProblems(fundAllocation, 'a.json', { today })).toEqual([
      'a.json record 1 (line 1), periods: "2026-12-01" must be a day up to 2026-11-30; --future allow publishes it',
    ]);
    workspace.writeFile('a.json', json([record('2026-11-30')]));
    expect((await workspace.load(fundAllocation, 'a.json', { today })).counts.added).toBe(1);
  });

  test('is the guard that stops a load, unless any record is invalid', async () => {
    const [future, invalid] = [dated('2062-04-07'), { ...dated('2026-11-16'), type: 'x' }];
    const findGuard = async (...records: unknown[]) => {
      workspace.writeFile('a.json', json(records));
      const rejection = await workspace.load(quotes, 'a.json', { today }).catch((cause) => cause);
      return [rejection.count, rejection.guard];
    };
    expect(await findGuard(future)).toEqual([1, 'future-date']);
    expect(await findGuard(future, invalid)).toEqual([2, undefined]);
    expect(await findGuard(invalid, future)).toEqual([2, undefined]);
  });

  test('is found by the clock if no day is given', async () => {
    workspace.writeFile('a.json', json([dated('9998-04-07')]));
    const [problem] = await workspace.loadProblems(quotes, 'a.json', { today: undefined as never });
    expect(problem).toContain('must be a day up to 2');
  });
});

describe('a thin day', () => {
  const day = (date: string, count: number) =>
    Array.from({ length: count }, (_, index) => quote({ date, symbol: `S${index}`, ytm: 0 }));
  const mapping = { mute: ['isin-shared', 'securities-gone'] };
  const days = ['2026-04-01', '2026-04-02', '2026-04-03', '2026-04-06', '2026-04-07'];

  test('is warned of if it becomes the newest, by a load and by a check', async () => {
    workspace.writeFile('a.json', json(days.flatMap((date) => day(date, 10))));
    expect(await loadWarnings(quotes, 'a.json', { mapping })).toEqual([]);
    workspace.writeFile('b.json', json(day('2026-04-08', 5)));
    expect(await loadWarnings(quotes, 'b.json', { mapping, isDryRun: true })).toEqual([]);
    workspace.writeFile('c.json', json(day('2026-04-08', 4)));
    const text =
      '2026-04-08, the newest day, has 4 quotes; the median of the 5 days before it is 10';
    expect(await loadWarnings(quotes, 'c.json', { mapping })).toEqual([
      {
        rule: 'thin-day',
        file: 'c.json',
        place: 'record',
        at: 1,
        line: 1,
        field: 'date',
        value: '2026-04-08',
        text,
      },
    ]);
    expect(await checkRules('2026-11-16')).toContain(`thin-day: ${text}`);
    // An older day does not become the newest.
    workspace.writeFile('d.json', json(day('2026-03-31', 1)));
    expect(await loadWarnings(quotes, 'd.json', { mapping })).toEqual([]);
  });
});

describe('a figure out of bounds is warned of', () => {
  test.each([
    ['bidPrice', 0.5, 'bidPrice 0.5 is not between 1 and 400'],
    ['askPrice', 9250, 'askPrice 9250 is not between 1 and 400'],
    ['ytm', 120.39, 'ytm 120.39 is not between -5 and 100'],
    ['ytm', -5.1, 'ytm -5.1 is not between -5 and 100'],
    ['duration', 61, 'duration 61 is not between 0 and 60'],
    ['maturityYears', 102, 'maturityYears 102 is not between 0 and 101'],
  ])('in a quote: %s %p', async (field, value, text) => {
    workspace.writeFile('a.json', json([quote({ [field]: value })]));
    const warnings = await loadWarnings(quotes, 'a.json', { mapping: {} });
    expect(warnings).toContainEqual({
      rule: 'implausible-figure',
      file: 'a.json',
      place: 'record',
      at: 1,
      line: 1,
      field,
      value,
      text,
    });
  });

  test('in the coupon of a security, by quotes and by reference data', async () => {
    workspace.writeFile('a.json', json([{ symbol: 'A', couponRate: 1025 }]));
    const text = 'couponRate 1025 is not between 0 and 100';
    expect(await loadWarnings(securities, 'a.json')).toMatchObject([
      { rule: 'implausible-figure', text },
    ]);
    const terms = { couponRate: 1025, couponFrequency: 2 };
    workspace.writeFile('b.json', json([{ ...quote({ symbol: 'B' }), ...terms }]));
    expect(await loadWarnings(quotes, 'b.json')).toContainEqual(
      expect.objectContaining({ rule: 'implausible-figure', field: 'couponRate', text }),
    );
  });

  test('in a share, a class of a fund and a negative count', async () => {
    const operators = [
      { key: 'a', value: 1.2 },
      { key: 'b', value: -0.2 },
    ];
    workspace.writeFile('a.json', json([{ period: 'Jun 2026', operators }]));
    expect((await workspace.load(marketShare, 'a.json')).report.warnings).toMatchObject([
      {
        rule: 'implausible-figure',
        count: 2,
        first: [{ text: 'operators of a 1.2 is not between 0 and 1' }, {}],
      },
    ]);
    const rows = [
      { label: 'Cash', values: [110, 50] },
      { label: 'Payable', values: [-10, 50] },
    ];
    workspace.writeFile('b.json', json([{ ...fundAllocation.example, rows }]));
    expect(await loadWarnings(fundAllocation, 'b.json')).toMatchObject([
      { rule: 'implausible-figure', text: 'rows of Cash 110 is not between 0 and 100' },
    ]);
    const provinces = [{ key: 'North', value: -4 }];
    workspace.writeFile('c.json', json([{ ...accounts.example, provinces }]));
    expect(await loadWarnings(accounts, 'c.json')).toMatchObject([
      { rule: 'negative-figure', text: 'provinces of North -4 is below 0' },
      { rule: 'unknown-key', value: 'punjab' },
    ]);
  });

  test('but not at the bounds, nor if a price of 0 means no order', async () => {
    const edges = [
      quote({ symbol: 'A', bidPrice: 0, askPrice: 1, lastPrice: 400, ytm: 100, duration: 60 }),
      quote({ symbol: 'B', ytm: -5, maturityYears: 101, duration: 0 }),
    ];
    workspace.writeFile('a.json', json(edges));
    const rules = (await loadWarnings(quotes, 'a.json')).map(({ rule }) => rule);
    expect(rules).not.toContain('implausible-figure');
  });
});

describe('a total that is off by a power of ten', () => {
  test('is warned of against the periods before and after it, by a load and by a check', async () => {
    workspace.writeFile('a.csv', csv('2021,98,1,1,100', '2022,98,1,1,100', '2023,98,1,1,100'));
    expect(await loadWarnings(online, 'a.csv')).toEqual([]);
    workspace.writeFile('b.csv', csv('2024,998,1,1,1000'));
    const text = 'total 1000 in 2024 was 100 in 2023; a factor of 10, bound 3';
    expect(await loadWarnings(online, 'b.csv')).toEqual([
      {
        rule: 'scale-jump',
        file: 'b.csv',
        place: 'line',
        at: 2,
        field: 'total',
        value: 1000,
        text,
      },
    ]);
    expect(await checkRules('2026-11-16')).toContain(`scale-jump: ${text}`);
    workspace.writeFile('c.csv', csv('2020,297,1,1,299'));
    expect(await loadWarnings(online, 'c.csv')).toEqual([]);
    workspace.writeFile('d.csv', csv('2020,298,1,1,300'));
    expect(await loadWarnings(online, 'd.csv')).toMatchObject([
      { file: 'd.csv', text: 'total 100 in 2021 was 300 in 2020; a factor of 0.333, bound 3' },
    ]);
  });
});

describe('a total some periods after the one before it', () => {
  test('is compared with it up to four periods later, each of which allows for as much', async () => {
    workspace.writeFile('a.csv', csv('2015,98,1,1,100'));
    await workspace.load(online, 'a.csv');
    const mapping = { mute: ['period-gap'] };
    const findJump = async (line: string) => {
      workspace.writeFile('b.csv', csv(line));
      return loadWarnings(online, 'b.csv', { mapping, isDryRun: true });
    };
    expect(await findJump('2019,1198,1,1,1200')).toMatchObject([
      {
        rule: 'scale-jump',
        text: 'total 1200 in 2019 was 100 in 2015; a factor of 12, bound 12',
      },
    ]);
    expect(await findJump('2019,1196,1,1,1198')).not.toContainEqual(
      expect.objectContaining({ field: 'total' }),
    );
    expect(await findJump('2020,9998,1,1,10000')).toEqual([]);
  });
});

describe('a load that changes much', () => {
  test('by --replace is compared with what was published, however much it adds', async () => {
    workspace.writeFile('a.csv', years(60));
    await workspace.load(online, 'a.csv');
    // The right columns of another series: years of its own, and some of the published ones.
    workspace.writeFile('b.csv', years(100, 1, 1997));
    await expect(workspace.load(online, 'b.csv', { replace: true })).rejects.toThrow(
      '--replace would retire 7 of 60 records of online-banking-annual-volume, more than 10 %',
    );
    workspace.writeFile('c.csv', years(100, 1, 1996));
    const { counts } = await workspace.load(online, 'c.csv', { replace: true });
    expect(counts).toMatchObject({ added: 46, retired: 6, unchanged: 54 });
  });

  test('may correct exactly half of its older records, and exactly ten are enough to be more', async () => {
    workspace.writeFile('a.csv', years(30));
    await workspace.load(online, 'a.csv');
    const correct = (count: number, unchanged: number) => {
      const corrected = years(count, 2).trimEnd().split('\n');
      const same = years(unchanged, 1, 1990 + count)
        .trimEnd()
        .split('\n')
        .slice(1);
      workspace.writeFile('b.csv', [...corrected, ...same, ''].join('\n'));
      return workspace.load(online, 'b.csv', { isDryRun: true });
    };
    expect((await correct(10, 10)).counts).toMatchObject({ corrected: 10, unchanged: 10 });
    await expect(correct(10, 9)).rejects.toThrow('10 of 19 loaded records');
    expect((await correct(9, 0)).counts.corrected).toBe(9);
    await expect(correct(10, 0)).rejects.toThrow('10 of 10 loaded records');
  });

  test('by --replace is rejected if it retires more than a tenth, unless that is allowed', async () => {
    workspace.writeFile('a.csv', years(110));
    await workspace.load(online, 'a.csv');
    workspace.writeFile('b.csv', years(98));
    const replacing = workspace.load(online, 'b.csv', { replace: true });
    await expect(replacing).rejects.toThrow(
      new GuardError(
        'retires-many',
        '--replace would retire 12 of 110 records of online-banking-annual-volume, more than 10 %; --retire-many retires them',
      ),
    );
    workspace.writeFile('c.csv', years(99));
    expect((await workspace.load(online, 'c.csv', { replace: true })).counts.retired).toBe(11);
    const { counts } = await workspace.load(online, 'b.csv', { replace: true });
    expect(counts.retired).toBe(1);
    workspace.writeFile('d.csv', years(9));
    const allowed = { replace: true, canRetireMany: true };
    expect((await workspace.load(online, 'd.csv', allowed)).counts.retired).toBe(89);
    expect((await readEntry(4))?.options).toEqual({
      options: { replace: true, 'retire-many': true },
    });
    // Half a file of a short series, too, would retire the other half.
    workspace.writeFile('e.csv', years(8));
    await expect(workspace.load(online, 'e.csv', { replace: true })).rejects.toThrow(
      '--replace would retire 1 of 9 records',
    );
  });

  test('is rejected if more than half of the older records are corrections, unless that is allowed', async () => {
    workspace.writeFile('a.csv', years(20));
    await workspace.load(online, 'a.csv');
    workspace.writeFile('b.csv', years(11, 2));
    await expect(workspace.load(online, 'b.csv', { isDryRun: true })).rejects.toThrow(
      new GuardError(
        'corrects-many',
        '11 of 11 loaded records of online-banking-annual-volume before 2008 would correct published ones, more than 50 %; --correct-many corrects them',
      ),
    );
    workspace.writeFile('c.csv', years(9, 2));
    expect((await workspace.load(online, 'c.csv')).counts.corrected).toBe(9);
    const { counts } = await workspace.load(online, 'b.csv', { canCorrectMany: true });
    expect(counts.corrected).toBe(2);
    workspace.writeFile('d.csv', years(20, 3));
    await workspace.load(online, 'd.csv', { canCorrectMany: true });
    expect((await readEntry(4))?.options).toEqual({ options: { 'correct-many': true } });
  });

  test('of funds counts those that change periods before the newest published one', async () => {
    const fund = (index: number, values: number[]) => ({
      ...fundAllocation.example,
      fund_id: `fund-${index}`,
      periods: values.map((_, month) => ({ label: `m${month}`, date: `2026-0${month + 1}-28` })),
      rows: [{ label: 'Cash', values }],
    });
    const funds = (...values: number[]) =>
      json(Array.from({ length: 12 }, (_, index) => fund(index, values)));
    workspace.writeFile('a.json', funds(100));
    await workspace.load(fundAllocation, 'a.json');
    workspace.writeFile('b.json', funds(100, 100));
    expect((await workspace.load(fundAllocation, 'b.json')).counts.corrected).toBe(12);
    workspace.writeFile('c.json', funds(100, 99));
    expect((await workspace.load(fundAllocation, 'c.json')).counts.corrected).toBe(12);
    workspace.writeFile('d.json', funds(98, 99, 100));
    await expect(workspace.load(fundAllocation, 'd.json')).rejects.toThrow(
      '12 of 12 loaded records of fund-allocation in periods before their newest published one',
    );
  });

  test('of reference data is not limited, because it is filled in bit by bit', async () => {
    const records = (name: string | null) =>
      json(Array.from({ length: 20 }, (_, index) => ({ symbol: `S${index}`, name })));
    workspace.writeFile('a.json', records(null));
    await workspace.load(securities, 'a.json');
    workspace.writeFile('b.json', records('Bond'));
    expect((await workspace.load(securities, 'b.json')).counts.corrected).toBe(20);
  });
});

describe('an ISIN of several symbols', () => {
  const isin = 'ZZ0000000016';
  const one = (symbol: string, date: string) => quote({ symbol, date, isin, ytm: 0 });

  test('on one day is warned of, within a load and against what is published, and by a check', async () => {
    workspace.writeFile('a.json', json([one('A', '2026-04-07'), one('B', '2026-04-07')]));
    const text = `isin ${isin} is that of A, B on 2026-04-07`;
    expect(await loadWarnings(quotes, 'a.json', { isDryRun: true })).toEqual([
      {
        rule: 'isin-shared',
        file: 'a.json',
        place: 'record',
        at: 2,
        line: 1,
        field: 'isin',
        value: isin,
        text,
      },
    ]);
    workspace.writeFile('b.json', json([one('A', '2026-04-06'), one('A', '2026-04-07')]));
    expect(await loadWarnings(quotes, 'b.json')).toEqual([]);
    workspace.writeFile('c.json', json([one('B', '2026-04-07')]));
    expect(await loadWarnings(quotes, 'c.json')).toMatchObject([{ file: 'c.json', at: 1, text }]);
    expect(await checkRules('2026-11-16')).toContain(`isin-shared: ${text}`);
    // What was published before is not warned of again.
    workspace.writeFile('d.json', json([one('B', '2026-04-08')]));
    expect(await loadWarnings(quotes, 'd.json')).toEqual([]);
  });

  test('is not warned of if it is no ISIN, as sources without ISINs repeat placeholders', async () => {
    const placeholder = (symbol: string) => ({ ...one(symbol, '2026-04-07'), isin: 'NONE' });
    workspace.writeFile('a.json', json([placeholder('A'), placeholder('B')]));
    const mapping = { mute: ['isin-check-digit'] };
    expect(await loadWarnings(quotes, 'a.json', { mapping })).toEqual([]);
    expect(await checkRules('2026-11-16')).not.toContainEqual(
      expect.stringContaining('isin-shared'),
    );
  });

  test('on different days is a renamed security, and a symbol that comes back under another ISIN is warned of', async () => {
    workspace.writeFile('a.json', json([one('A', '2026-04-06'), one('B', '2026-04-07')]));
    expect(await loadWarnings(quotes, 'a.json')).toEqual([]);
    expect(await checkRules('2026-11-16')).toEqual([]);
    const other = { ...one('A', '2026-05-06'), isin: 'ZZ0000000024' };
    workspace.writeFile('b.json', json([other]));
    expect(await loadWarnings(quotes, 'b.json')).toMatchObject([{ rule: 'isin-changed' }]);
  });
});
