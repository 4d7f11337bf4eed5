import { describe, expect, test } from 'bun:test';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { holidays } from '../../src/catalogue/datasets/holidays.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { formatReport } from '../../src/cli/format.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { LoadValidationError } from '../../src/publish/errors.ts';
import { loadFiles } from '../../src/publish/load/load-files.ts';
import { retireRecords } from '../../src/publish/retire-records.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import type { Publisher } from '../../src/store/open-store.ts';
import { exportDataset } from '../../src/tabular/export-dataset.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';
import { UNKNOWN_TERMS } from '../support/unknown-terms.ts';

const UNKNOWN = { isin: null, ...UNKNOWN_TERMS };

describe('a file of securities', () => {
  const workspace = useLoadWorkspace();
  const load = (text: string, options = {}) => {
    workspace.writeFile('terms.csv', text);
    return workspace.load(securities, 'terms.csv', options);
  };

  test('may have any of the columns; what is blank or not there is null', async () => {
    await load('symbol,coupon_rate,Coupon Frequency,floating\nA,12.5,2,yes\nB,,,FALSE\n');
    expect(await workspace.readRecords(securities)).toEqual([
      { ...UNKNOWN, symbol: 'A', couponRate: 12.5, couponFrequency: 2, floating: true },
      { ...UNKNOWN, symbol: 'B', floating: false },
    ]);
  });

  test('changes what it has columns of alone; --replace forgets the rest', async () => {
    await load('symbol,name,couponRate\nA,first,10\n');
    const { counts } = await load('symbol,couponRate,pricing\na,11,coupon\nB,,discount\n');
    expect(counts).toMatchObject({ added: 1, corrected: 1 });
    expect(await workspace.readRecords(securities)).toEqual([
      { ...UNKNOWN, symbol: 'a', name: 'first', couponRate: 11, pricing: 'coupon' },
      { ...UNKNOWN, symbol: 'B', pricing: 'discount' },
    ]);
    await load('symbol,couponRate\nA,\n');
    expect(await workspace.readRecords(securities)).toMatchObject([
      { symbol: 'A', name: 'first', couponRate: null, pricing: 'coupon' },
      { symbol: 'B' },
    ]);
    await load('symbol,issuer\nA,me\n', { replace: true, canRetireMany: true });
    expect(await workspace.readRecords(securities)).toEqual([
      { ...UNKNOWN, symbol: 'A', issuer: 'me' },
    ]);
  });

  test('is rejected as a whole if a value is invalid, or a symbol comes twice', async () => {
    const header =
      'symbol,issueDate,couponRate,couponFrequency,pricing,floating,dayCount,settlementDays';
    workspace.writeFile(
      'terms.csv',
      `${header}\nA,2026-02-30,-1,3,flat,maybe,ACT/366,61\nB,,,,,,,\nb,,,,,,,\n`,
    );
    expect(await workspace.loadProblems(securities, 'terms.csv')).toEqual([
      'terms.csv line 2, issueDate: "2026-02-30" must be a calendar day as YYYY-MM-DD',
      'terms.csv line 2, pricing: "flat" must be one of discount, zero, coupon, bank-discount',
      'terms.csv line 2, floating: "maybe" must be true or false (or yes or no, 1 or 0)',
      'terms.csv line 2, dayCount: "ACT/366" must be one of ACT/ACT, ACT/365, ACT/360, 30/360',
      'terms.csv line 2, couponRate: -1 must be a finite number of percent, 0 or more',
      'terms.csv line 2, couponFrequency: 3 must be 1, 2, 4 or 12 coupons a year',
      'terms.csv line 2, settlementDays: 61 must be a whole number of days from 0 to 60',
      'terms.csv line 4, symbol: "b" must be given once; terms.csv line 3 has "B" in its place',
    ]);
  });

  test('keeps records of which the key alone is known, from every format of an export', async () => {
    await load('symbol,name\nA,first\nB,\nC C,\n');
    const reader = workspace.store.reader();
    for (const format of ['csv', 'ndjson', 'parquet', 'xlsx', 'json'] as const) {
      const chunks = await Array.fromAsync(exportDataset(reader, securities, format));
      const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
      workspace.writeFile(`copy.${format}`, bytes);
      const { revision, counts } = await workspace.load(securities, `copy.${format}`);
      expect([format, revision, counts.unchanged]).toEqual([
        format,
        undefined,
        format === 'xlsx' ? 2 : 3,
      ]);
    }
    reader.close();
  });

  test('and one of funds follow the same rules', async () => {
    workspace.writeFile('funds.csv', 'fund_id,name,manager\nf1,First,Me\n');
    await workspace.load(funds, 'funds.csv');
    workspace.writeFile('funds.csv', 'fund_id,category\nF1,Equity\n');
    await workspace.load(funds, 'funds.csv');
    expect(await workspace.readRecords(funds)).toEqual([
      { fund_id: 'F1', name: 'First', category: 'Equity', manager: 'Me' },
    ]);
  });

  test('can be retired by symbol, in any letter case', async () => {
    await load('symbol,name\nA,first\nB,second\n');
    const publisher = workspace.store.publisher();
    const retirement = { dataset: securities, author: 'test' };
    await expect(retireRecords(publisher, { ...retirement, keys: ['x'] })).rejects.toThrow(
      'securities has no record x; nothing was retired',
    );
    const retired = await retireRecords(publisher, { ...retirement, keys: ['a'] });
    expect(retired).toMatchObject({ retired: 1 });
    publisher.close();
    expect(await workspace.readRecords(securities)).toMatchObject([{ symbol: 'B' }]);
  });
});

const HEADER =
  'date,symbol,isin,type,maturityDate,bidPrice,askPrice,lastPrice,bidVolume,askVolume,volume';
const quoteLine = (date: string, symbol = 'BOND') =>
  `${date},${symbol},ZZ0000000017,bond,2031-01-22,0,0,95,0,0,0`;

describe(`the terms in a file of quotes`, () => {
  const workspace = useLoadWorkspace();
  const loadQuotes = (columns: string, ...lines: string[]) => {
    workspace.writeFile('q.csv', [`${HEADER},${columns}`, ...lines, ''].join('\n'));
    return workspace.load(quotes, 'q.csv');
  };
  const expectNoFaults = async () => {
    const inspector = workspace.store.inspector();
    expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
    inspector.close();
  };

  test('are published as a revision of securities, only if they changed', async () => {
    const first = await loadQuotes('couponRate,couponFrequency', `${quoteLine('2026-06-29')},10,2`);
    expect(first.revision).toMatchObject({ revision: 1, dataset: 'quotes', added: 1 });
    expect(first.termsRevision).toMatchObject({ revision: 2, dataset: 'securities', added: 1 });
    expect(first.termsRevision).toMatchObject({ source: 'q.csv', author: 'test' });
    const record = { ...UNKNOWN, symbol: 'BOND', isin: 'ZZ0000000017', couponRate: 10 };
    expect(await workspace.readRecords(securities)).toEqual([{ ...record, couponFrequency: 2 }]);

    const second = await loadQuotes('couponRate', `${quoteLine('2026-06-30')},10`);
    expect(second).toMatchObject({ revision: { revision: 3 }, termsRevision: undefined });
    const same = await loadQuotes('couponRate', `${quoteLine('2026-06-30')},10.5`);
    // The yield of the quote follows from the coupon.
    expect(same).toMatchObject({ revision: { revision: 4 }, termsRevision: { revision: 5 } });
    const { readRecords } = workspace;
    expect(await readRecords(securities)).toMatchObject([{ couponRate: 10.5, couponFrequency: 2 }]);
    await expectNoFaults();
  });

  test('are published with the quotes or not at all', async () => {
    const publisher = workspace.store.publisher();
    const failing: Publisher = {
      ...publisher,
      transaction: (callback) =>
        publisher.transaction(({ publish, ...transaction }) =>
          callback({
            ...transaction,
            publish: async (change) => {
              if (change.dataset === securities) throw new Error('the disk is full');
              return publish(change);
            },
          }),
        ),
    };
    const path = workspace.writeFile(
      'q.csv',
      `${HEADER},couponRate\n${quoteLine('2026-06-30')},10\n`,
    );
    const files = [{ path, name: 'q.csv' }];
    const loading = loadFiles(failing, { dataset: quotes, files, mapping: {}, author: 'test' });
    await expect(loading).rejects.toThrow('the disk is full');
    publisher.close();
    expect(await workspace.readRevision()).toBe(0);
    expect(await workspace.readRecords(quotes)).toEqual([]);
  });

  test('clear nothing that reference data has, and warn of no new coupon of a floater', async () => {
    workspace.writeFile(
      'terms.csv',
      'symbol,name,couponRate,couponFrequency,floating\nbond,B,9,4,1\n',
    );
    await workspace.load(securities, 'terms.csv');
    const { report } = await loadQuotes('couponRate,pricing', `${quoteLine('2026-06-30')},10,`);
    expect(report.warnings.map(({ rule }) => rule)).not.toContain('terms-changed');
    expect(formatReport(report)).toContain('Terms kept: of 1 security.');
    const record = { ...UNKNOWN, symbol: 'bond', name: 'B', couponRate: 10 };
    expect(await workspace.readRecords(securities)).toEqual([
      { ...record, couponFrequency: 4, floating: true },
    ]);
  });

  test('are found by ISIN if a security has another symbol', async () => {
    const lineWith = (isin: string, date: string, symbol: string) =>
      quoteLine(date, symbol).replace('ZZ0000000017', isin);
    const [first, second] = ['ZZ0000000016', 'ZZ0000000024'] as const;
    await loadQuotes('couponRate', `${lineWith(first, '2026-06-29', 'BOND')},10`);
    await loadQuotes('ytm,duration', `${lineWith(second, '2026-06-29', 'OLD')},11,4`);
    workspace.writeFile('terms.csv', 'symbol,couponRate\nOLD,12\n');
    await workspace.load(securities, 'terms.csv');
    // The reference data of OLD has no ISIN; that of its quotes leads to it.
    for (const date of ['2026-06-30', '2026-07-01'])
      await loadQuotes(
        'pricing',
        `${lineWith(first, date, 'RENAMED')},`,
        `${lineWith(second, date, 'NEW')},`,
      );
    const ytms = Object.fromEntries(
      (await workspace.readRecords(quotes)).map(({ date, symbol, ytm }) => [
        `${date} ${symbol}`,
        ytm,
      ]),
    );
    expect(ytms['2026-06-30 RENAMED']).toBeCloseTo(11.4, 1);
    expect(ytms['2026-07-01 NEW']).toBeCloseTo(13.5, 1);
    expect((await workspace.readRecords(securities)).map(({ symbol }) => symbol)).toEqual([
      'BOND',
      'OLD',
    ]);
    // What is no ISIN may stand for any security.
    await loadQuotes('couponRate', `${lineWith('NONE', '2026-06-29', 'P')},10`);
    await expect(
      loadQuotes('pricing', `${lineWith('NONE', '2026-06-30', 'Q')},`),
    ).rejects.toBeInstanceOf(LoadValidationError);
  });

  test('are reverted with the quotes that they came with, if they have not changed since', async () => {
    const publisher = workspace.store.publisher();
    const revert = (revision: number) =>
      revertRevision(publisher, catalogue, { revision, author: 'test' });
    const readTerms = async () =>
      (await workspace.readRecords(securities)).map(({ symbol, couponRate }) => [
        symbol,
        couponRate,
      ]);
    await loadQuotes('couponRate', `${quoteLine('2026-06-29', 'A')},10`);
    const lines = [`${quoteLine('2026-06-30', 'A')},11`, `${quoteLine('2026-06-30', 'B')},12`];
    await loadQuotes('couponRate', ...lines, `${quoteLine('2026-06-30', 'C')},13`);
    workspace.writeFile('terms.csv', 'symbol,name\nC,named since\n');
    await workspace.load(securities, 'terms.csv');
    expect(await revert(3)).toMatchObject({
      revision: { revision: 6, dataset: 'quotes', retired: 3 },
      termsRevision: { revision: 7, dataset: 'securities', corrected: 1, retired: 1 },
    });
    expect(await readTerms()).toEqual([
      ['A', 10],
      ['C', 13],
    ]);
    // Reverting that restores both.
    expect(await revert(6)).toMatchObject({
      revision: { revision: 8, dataset: 'quotes', added: 3 },
      termsRevision: { revision: 9, dataset: 'securities' },
    });
    expect(await readTerms()).toEqual([
      ['A', 11],
      ['B', 12],
      ['C', 13],
    ]);
    // The terms alone can be reverted, too.
    expect(await revert(9)).toMatchObject({ revision: { revision: 10, dataset: 'securities' } });
    expect(await readTerms()).toEqual([
      ['A', 10],
      ['C', 13],
    ]);
    publisher.close();
    await expectNoFaults();
  });
});

describe('a bond of a company without a day count', () => {
  const workspace = useLoadWorkspace();
  const corporateLine = (symbol: string) =>
    `2026-06-30,${symbol},ZZ0000000016,corporate,2031-01-22,0,0,95,0,0,0`;
  const load = async (dataset: Dataset, text: string) => {
    workspace.writeFile('file.csv', text);
    const { report } = await workspace.load(dataset, 'file.csv');
    return report.warnings.flatMap(({ rule, first }) =>
      rule === 'unknown-convention' ? first.map(({ value, text }) => [value, text]) : [],
    );
  };
  const warning = [
    null,
    'ACME has a coupon of 12 % and no dayCount, so that days count ACT/ACT; many corporate bonds count 30/360',
  ];
  const quoteFile = [`${HEADER},couponRate`, `${corporateLine('ACME')},12`, ''].join('\n');
  const later = quoteFile.replaceAll('2026-06-30', '2026-07-01');

  test('is warned of with its first quote, and with its terms, unless they say more', async () => {
    expect(await load(quotes, quoteFile)).toEqual([warning]);
    expect(await load(quotes, later)).toEqual([]);
    const terms = (columns: string, values: string) =>
      load(securities, `symbol,couponRate${columns}\nACME,12${values}\nNEVERQUOTED,12${values}\n`);
    expect(await terms('', '')).toEqual([warning]);
    expect(await terms(',floating', ',yes')).toEqual([]);
    expect(await terms(',floating,pricing', ',no,zero')).toEqual([]);
    expect(await terms(',floating,pricing,dayCount', ',no,coupon,30/360')).toEqual([]);
  });

  test('is not warned of if it is a government bond, or its terms are not known', async () => {
    expect(await load(quotes, quoteFile.replace('corporate', 'bond'))).toEqual([]);
    const figures = 'maturityYears,ytm,duration';
    const line = corporateLine('OTHER').replace('ZZ0000000016', 'ZZ0000000024');
    const unknown = [`${HEADER},${figures}`, `${line},4.56,12,3.5`, ''];
    expect(await load(quotes, unknown.join('\n'))).toEqual([]);
  });
});

describe('a calendar that terms name', () => {
  const workspace = useLoadWorkspace();
  const load = async (
    dataset: Dataset,
    text: string,
    options: Parameters<typeof workspace.load>[2] = {},
  ) => {
    workspace.writeFile('file.csv', text);
    const { report } = await workspace.load(dataset, 'file.csv', options);
    return report.warnings.flatMap(({ rule, first }) =>
      first.map(({ at, field, value, text }) => [rule, at, field, value, text]),
    );
  };
  const check = async () => {
    const inspector = workspace.store.inspector();
    const { warnings } = await checkDatabase(inspector, catalogue);
    inspector.close();
    return warnings.flatMap(({ rule, first }) => first.map(({ text }) => `${rule} ${text}`));
  };
  const terms = 'symbol,calendar\nA,pk\nB,pkk\nC,\n';
  const warning = (line: number, name: string, known: string) => [
    'unknown-calendar',
    line,
    'calendar',
    name,
    `calendar ${name} has no holidays; ${known}`,
  ];

  test('is warned of if it has no holidays, with those that have', async () => {
    const none = 'no calendar has any';
    const unknown = [warning(2, 'pk', none), warning(3, 'pkk', none)];
    expect(await load(securities, terms, { isDryRun: true })).toEqual(unknown);
    expect(await load(securities, terms)).toEqual(unknown);
    // Holidays may come after the terms that need them.
    expect(await load(holidays, 'calendar,date\nPK,2026-08-14\nzed,2026-12-25\n')).toEqual([]);
    const known = 'calendars with holidays are PK, zed';
    expect(await load(securities, terms)).toEqual([warning(3, 'pkk', known)]);
    expect(await check()).toEqual([`unknown-calendar B: calendar pkk has no holidays; ${known}`]);
    // What a file leaves out is what was published.
    const names = 'symbol,name\nA,First\nB,Second\n';
    expect(await load(securities, names)).toEqual([warning(3, 'pkk', known)]);
    expect(await load(securities, names, { mapping: { mute: ['unknown-calendar'] } })).toEqual([]);
  });

  test('is told of by a check after a revert of its holidays', async () => {
    await load(holidays, 'calendar,date\nPK,2026-08-14\n');
    expect(await load(securities, 'symbol,calendar\nA,pk\n')).toEqual([]);
    expect(await check()).toEqual([]);
    const publisher = workspace.store.publisher();
    await revertRevision(publisher, catalogue, { revision: 1, author: 'test' });
    publisher.close();
    expect(await check()).toEqual([
      'unknown-calendar A: calendar pk has no holidays; no calendar has any',
    ]);
  });
});

describe('a file of holidays', () => {
  const workspace = useLoadWorkspace();
  const read = async () =>
    (await workspace.readRecords(holidays)).map((record) => Object.values(record).join(' '));

  test('is corrected, retired and reverted by calendar, in any letter case, and day', async () => {
    const header = 'calendar,date,name';
    workspace.writeFile(
      'h.csv',
      `${header}\nZED,2027-01-01,New Year\nab,2026-12-25,\nZED,2026-12-25,Xmas\n`,
    );
    await workspace.load(holidays, 'h.csv');
    expect(await read()).toEqual([
      'ab 2026-12-25 ',
      'ZED 2026-12-25 Xmas',
      'ZED 2027-01-01 New Year',
    ]);
    workspace.writeFile('h.csv', `${header}\nzed,2026-12-25,Midwinter\n`);
    const { counts } = await workspace.load(holidays, 'h.csv');
    expect(counts).toMatchObject({ added: 0, corrected: 1, retired: 0 });
    const publisher = workspace.store.publisher();
    const retirement = { dataset: holidays, author: 'a' };
    expect(() => retireRecords(publisher, { ...retirement, keys: ['zed'] })).toThrow(
      '"zed" is no key of holidays: it must be calendar/date, such as ZED/2026-12-25',
    );
    await retireRecords(publisher, { ...retirement, keys: ['zed/2027-01-01'] });
    expect(await read()).toEqual(['ab 2026-12-25 ', 'zed 2026-12-25 Midwinter']);
    await revertRevision(publisher, catalogue, { revision: 2, author: 'a' });
    expect(await read()).toEqual(['ab 2026-12-25 ', 'ZED 2026-12-25 Xmas']);
    publisher.close();
    workspace.writeFile('h.csv', `${header}\nZED,2026-02-30,\nZED,2026-12-24,\nzed,2026-12-24,x\n`);
    expect(await workspace.loadProblems(holidays, 'h.csv')).toEqual([
      'h.csv line 2, date: "2026-02-30" must be a calendar day as YYYY-MM-DD',
      expect.stringContaining('must be given once; h.csv line 3 has'),
    ]);
  });
});
