import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  branchlessBankingAgents as agents,
  atmTransactionsQuarterlyValue as atmQuarters,
  posTransactionsQuarterlyVolume as pos,
  settlementTransactionsValue as settlement,
  mobileMoneyMarketShareValue as shares,
} from '../../src/catalogue/datasets/series/index.ts';
import { buildWorkbook } from './build-workbook.ts';
import { answer, OPEN_ADAPTER, useStartLoader } from './start-loader.ts';

const { workspace, writeStart, loadWithStart, loadUnanswered } = useStartLoader();

const join = (...lines: readonly string[]) => lines.join('\n');

describe('a column that may hold several things is asked about', () => {
  test('years, quarters and months may name a period, and never the keys of a list', async () => {
    const content = join(
      'Year,Month,Operator,Share',
      '2025,January,Alpha,0.6',
      '2025,January,Beta,0.4',
      '2025,February,Alpha,1',
    );
    const { questions } = await writeStart('months.csv', content, shares);
    expect(questions).toEqual([
      'dataset: no column has the name of a field of mobile-money-market-share-value; is it the right one',
      'period: may be in Year (2025), Month (January); "{A} {B}" joins two columns',
      'operators: may be in Operator (Alpha)',
    ]);
    const { records } = await loadWithStart(
      'months.csv',
      content,
      shares,
      answer(
        ['"period": "?"', '"period": "{Month} {Year}"'],
        ['"operators:key": "?"', '"operators:key": "{Operator}"'],
        ['"operators:value": "?"', '"operators:value": "{Share}"'],
        ['"fields"', '"periods": "sbp", "fields"'],
      ),
    );
    expect(records.map(({ period }) => period)).toEqual(['Feb 2025', 'Jan 2025']);
    const kenya = join('Year,Month,Active Agents,Accounts (Millions)', '2025,March,3811,82.4');
    const start = await writeStart('kenya.csv', kenya, agents);
    expect(start.questions.filter((question) => question.startsWith('provinces'))).toEqual([]);
    expect(JSON.parse(start.text)).not.toHaveProperty('scale');
    expect(start.missing).toEqual(['period', 'total', 'provinces']);
  });

  test('a column of days with blank cells gives way to one without', async () => {
    const header = 'Symbol,Date,Trade Day,Maturity,Price,Coupon';
    const rows = ['ZB1,2026-06-01,2026-06-30,2030-01-15,98,5', 'ZB2,,2026-06-30,2030-01-15,98,5'];
    const { text } = await writeStart('days.csv', join(header, ...rows), quotes);
    expect(JSON.parse(text).columns).toMatchObject({ Date: null, 'Trade Day': 'date' });
    const alone = join('Symbol,Date,Price', 'ZB1,2026-06-30,98', 'ZB2,,98', 'ZB3,,97');
    const { questions, missing } = await writeStart('day.csv', alone, quotes);
    expect(missing).toContain('date');
    expect(questions).toContain('date: may be in Date (2026-06-30, 67 % blank)');
  });

  test('descriptions are no symbols, and of two columns of codes a person chooses', async () => {
    const rows = ['ZB1,5 per cent Bond of 2030,98', 'ZB2,6 per cent Bond of 2031,97'];
    const prose = await writeStart('prose.csv', join(',Security,Price', ...rows), quotes);
    expect(prose.missing).toContain('symbol');
    expect(prose.questions).toContain(
      'symbol: may be in (column 1) (ZB1), Security (5 per cent Bond of 2030)',
    );
    expect(prose.unused.columns).toEqual(['(column 1)', 'Security']);
    const codes = join('Code,Price,Series', 'ZB1,98,GS30', 'ZB2,97,GS31');
    const { questions, text } = await writeStart('codes.csv', codes, quotes);
    expect(questions).toContain('symbol: may be in Code (ZB1), Series (GS30)');
    expect(JSON.parse(text).columns).toMatchObject({ Code: null, Series: null });
    const symbols = join('Symbol,Price,Series', 'ZB1,98,GS30', 'ZB2,97,GS31');
    const sure = await writeStart('symbols.csv', symbols, quotes);
    expect(JSON.parse(sure.text).columns).toMatchObject({ Symbol: 'symbol', Series: null });
  });

  test('a list of gilts below a title leaves open what it does not have', async () => {
    const content = join(
      'Gilts in issue at close of business 30 June 2026',
      '',
      'Gilt Name,ISIN Code,Redemption Date,Clean Price (£),Dirty Price (£),Yield (%)',
      '4¼% Treasury Gilt 2032,GB0004893086,07-Jun-2032,99.12,99.4,4.4',
      '⅛% Treasury Gilt 2028,GB00BMBL1G81,31-Jan-2028,94.51,94.6,4.1',
    );
    const { text, questions, unused } = await writeStart('gilts.csv', content, quotes);
    expect(JSON.parse(text)).toMatchObject({
      headerRow: 3,
      columns: {
        'ISIN Code': 'isin',
        'Redemption Date': 'maturityDate',
        'Clean Price (£)': 'lastPrice',
        'Dirty Price (£)': null,
      },
      fields: { date: '?', symbol: '?' },
    });
    expect(questions).toContain('date: row 1 has 2026-06-30; findDate in an adapter reads it');
    expect(unused).toMatchObject({
      columns: ['Gilt Name', 'Dirty Price (£)'],
      rows: ['1 (Gilts in issue at close of business 30 …)'],
    });
  });

  test('figures in another unit than the dataset leave its scale open', async () => {
    const units = async (name: string, ...figures: number[]) => {
      const rows = figures.map((figure, index) => `ZB${index},2026-06-30,98,${figure}`);
      const content = join(`Symbol,Date,Price,${name}`, ...rows);
      return JSON.parse((await writeStart('volumes.csv', content, quotes)).text).scale;
    };
    expect(await units('Volume', 500, 700)).toBeUndefined();
    expect(await units('Volume (mn)', 500, 700)).toBe('?');
    expect(await units("Volume ('000)", 500, 700)).toBe('?');
    const cards = 'Quarter,ATM,Debit cards,Credit cards,Prepaid cards,Social welfare card';
    const ones = join(cards, 'Q1 2026,1,11871821,2,3,4', 'Q2 2026,1,11871822,2,3,4');
    expect((await writeStart('cards.csv', ones, pos)).questions).toEqual([
      'scale: debit_cards is in million transactions, and Debit cards has up to 11871822',
    ]);
  });

  test('a day with a time can be cut, and months of a quarterly dataset need an adapter', async () => {
    const header = 'Symbol,Price Time,Price,ISIN,Maturity,Bid,Ask,Volume,Yield,Duration';
    const figures = '98,ZZ0624197586,2030-01-15,97,99,5,4,3';
    const times = join(header, `ZB1,2026-06-30T12:59:31+0000,${figures}`);
    const cut = '{"of": "{Price Time}", "like": [["^(.{10})", "$1"]]}';
    const timed = await loadWithStart(
      'times.csv',
      times,
      quotes,
      answer(
        ['"date": "?"', `"date": ${cut}`],
        ['"type": "?"', '"type": "bond"'],
        ['"bidVolume": "?"', '"bidVolume": "0"'],
        ['"askVolume": "?"', '"askVolume": "0"'],
      ),
    );
    expect(timed.start.questions).toContain(
      `date: may be in Price Time (2026-06-30T12:59:31+0000); ${cut.replace('Price Time', 'A')} or findDate in an adapter leaves a time of day out`,
    );
    expect(timed.records).toMatchObject([{ symbol: 'ZB1', date: '2026-06-30' }]);
    const months = join('Year,Month,Total', '2026,January,1', '2026,February,2');
    const monthly = await writeStart('months.csv', months, atmQuarters);
    expect(monthly).toMatchObject({ kind: 'adapter', reasons: ['rows are months, by Month'] });
  });
});

describe('the sheets of a workbook', () => {
  const header = ['Security', 'Maturity', 'Bid', 'Offer', 'Last', 'Volume', 'Coupon'];
  const row = ['ZB1', '2030-01-15', 98.5, 98.9, 98.7, 1000, 5];

  test('are read with other columns beside those in use, and otherwise asked about', async () => {
    const content = await buildWorkbook(
      {
        Notes: [['About this workbook'], ['Made up']],
        '01-Jun-2026': [['Board'], [], header, row],
        '02-Jun-2026': [header, row],
        '03-Jun-2026': [['Board'], [], [...header, 'Remarks'], [...row, 'thin']],
        '04-Jun-2026': [[header[0] ?? '', 'Matures', ...header.slice(2)], row],
        '05-Jun-2026': [row, row],
        Blank: [],
        Old: [header, row],
      },
      'Old',
    );
    const { start, records } = await loadWithStart(
      'days.xlsx',
      content,
      quotes,
      answer(
        ["'Notes', '?', 'Blank', 'Old'", "'Notes', '04-Jun-2026', '05-Jun-2026', 'Blank'"],
        ["date: '?'", 'date'],
        ["isin: '?'", "isin: row.get('Security')"],
        ["type: '?'", "type: 'bond'"],
        ["bidVolume: '?'", 'bidVolume: 0'],
        ["askVolume: '?'", 'askVolume: 0'],
      ),
    );
    expect(start.reasons).toEqual(['the table is on 3 sheets']);
    expect(start.questions).toContain('OTHER_SHEETS: 04-Jun-2026, 05-Jun-2026');
    expect(start.unused.sheets).toEqual([
      'Notes (no figures)',
      '04-Jun-2026 (no column Maturity)',
      '05-Jun-2026 (no names above its rows)',
      'Blank (no figures)',
      'Old (hidden)',
    ]);
    expect(records.map(({ date }) => date)).toEqual(['2026-06-03', '2026-06-02', '2026-06-01']);
    const withoutOthers = answer(
      ["'Notes', '?', 'Blank', 'Old'", "'Notes', 'Blank'"],
      ["date: '?'", 'date'],
      ["isin: '?'", "isin: row.get('Security')"],
      ["type: '?'", "type: 'bond'"],
      ["bidVolume: '?'", 'bidVolume: 0'],
      ["askVolume: '?'", 'askVolume: 0'],
    );
    const load = () => loadWithStart('days.xlsx', content, quotes, withoutOthers);
    expect(await workspace.describeRejection(load)).toEqual([
      expect.stringContaining('has no row in the sheet 04-Jun-2026 with the columns Security'),
    ]);
  });

  test('are read with a header below a title that looks more like one', async () => {
    const columns = ['Symbol', 'Date', 'Maturity', 'Bid', 'Offer', 'Remarks'];
    const long = ['ZB1', '2026-06-30', '2030-01-15', 98, 99, 'thin'];
    const titles = [['Board of', 'Zedland', 'Exchange', 'Bonds', 'Bills', 'Prices'], columns];
    const content = await buildWorkbook({
      A: [columns, long],
      B: [...titles, ...Array(30).fill(long)],
    });
    const { reasons, unused } = await writeStart('titles.xlsx', content, quotes);
    expect(reasons).toEqual(['the table is on 2 sheets']);
    expect(unused.sheets).toEqual([]);
  });

  test('that have no more than a period in common are one of several to choose from', async () => {
    const content = await buildWorkbook({
      A: [
        ['Month', 'Government securities'],
        ['Jan 2026', 1],
      ],
      B: [
        ['Month', 'Ancillary clearing'],
        ['Jan 2026', 2],
      ],
    });
    const { questions, text } = await writeStart('parts.xlsx', content, settlement);
    expect(questions).toContain('sheet: A or B, by --sheet');
    expect(JSON.parse(text).sheet).toBe('?');
  });

  test('have a merged title above their header, whose text each of its cells repeats', async () => {
    const title = (text: string) => [null, ...Array<string>(4).fill(text), 'Income'];
    const content = await buildWorkbook({
      Fund: [
        title('Zed Income Fund'),
        title('Portfolio as on Jun 30,2026'),
        [null, 'ISIN', 'Name of the Instrument', 'Quantity', '% to NAV'],
        [null, 'Bonds'],
        [null, 'ZZ0000000016', 'Bond A', 5, 60],
        [null, 'ZZ0000000024', 'Bond B', 5, 40],
      ],
    });
    const { start } = await loadWithStart(
      'fund.xlsx',
      content,
      fundAllocation,
      answer(
        ["(sheet: Sheet) => '?'", '(sheet: Sheet) => sheet.name'],
        ["Bonds: '?'", "Bonds: 'Bonds'"],
      ),
    );
    expect(start.text).toContain("const SHARE = '% to NAV';");
    expect(start.unused.rows).toEqual([
      'Fund 1 (Zed Income Fund Income)',
      'Fund 2 (Portfolio as on Jun 30,2026 Income)',
    ]);
  });
});

describe('the holdings of a fund', () => {
  test('are added up without sums, nil holdings and what is below the grand total', async () => {
    const content = await buildWorkbook({
      ZEF: [
        ['Portfolio as on 30-Jun-2026'],
        [],
        ['Name of the Instrument / Issuer', 'Rating', 'Quantity', '% to Net Assets'],
        ['Equity'],
        ['Zed Total Gas Ltd.', 'Energy', 5, 10],
        ['Alpha Ltd.', 'Banks', 5, 60],
        ['Margin', null, null, 'NIL'],
        ['Beta Ltd.', 'Banks', 5, 20],
        ['Sub Total', null, 15, 90],
        ['Cash'],
        ['Zed Bank', null, null, 10],
        ['Grand Total', null, null, 100],
        ['Derivatives'],
        ['Future A', null, 5, -69],
      ],
    });
    const { start, records } = await loadWithStart(
      'holdings.xlsx',
      content,
      fundAllocation,
      answer(
        ["(sheet: Sheet) => '?'", '(sheet: Sheet) => sheet.name'],
        ["Equity: '?'", "Equity: 'Equity'"],
        ["Cash: '?'", "Cash: 'Cash'"],
      ),
    );
    expect(start.text).toContain("const NAME = 'Name of the Instrument / Issuer';");
    expect(start.text).not.toContain('Derivatives');
    expect(start.missing).not.toContain('date');
    expect(records.find(({ fund_id }) => fund_id === 'ZEF')).toMatchObject({
      rows: [
        { label: 'Equity', values: [90] },
        { label: 'Cash', values: [10] },
      ],
    });
  });

  test('below a subtotal and a heading without a class are of the class of the heading above', async () => {
    const content = await buildWorkbook({
      ZSF: [
        ['Portfolio as on 30-Jun-2026'],
        [],
        ['Name of the Instrument', 'Rating', 'Quantity', '% to NAV'],
        ['Equity'],
        ['Listed'],
        ['Alpha Ltd.', 'Banks', 5, 60],
        ['Sub Total', null, 5, 60],
        ['Unlisted'],
        ['Beta Ltd.', 'Banks', 5, 30],
        ['Sub Total', null, 5, 30],
        ['Total', null, 5, 90],
        ['Others'],
        ['Zed Bank', null, 5, 10],
        ['Grand Total', null, null, 100],
      ],
    });
    const load = (others: string) =>
      loadWithStart(
        'subtotals.xlsx',
        content,
        fundAllocation,
        answer(
          ["(sheet: Sheet) => '?'", '(sheet: Sheet) => sheet.name'],
          ["Equity: '?'", "Equity: 'Equity'"],
          [" Listed: '?'", ' Listed: null'],
          ["Unlisted: '?'", 'Unlisted: null'],
          ["Others: '?'", `Others: ${others}`],
        ),
      );
    expect(await workspace.describeRejection(() => load('null'))).toEqual([
      expect.stringContaining('the class of "Zed Bank" is not known'),
    ]);
    const { records } = await load("'Others'");
    expect(records.find(({ fund_id }) => fund_id === 'ZSF')).toMatchObject({
      rows: [
        { label: 'Equity', values: [90] },
        { label: 'Others', values: [10] },
      ],
    });
  });

  test('are not added to the sums that stand beside their headings', async () => {
    const content = await buildWorkbook({
      ZBF: [
        ['Portfolio as on 30-Jun-2026'],
        [],
        ['Issuer', 'ISIN', 'Rating', 'Quantity', '% to NAV'],
        ['Debt Instruments', null, null, null, 80],
        ['Government Securities', null, null, null, 50],
        ['Government of Zed', 'ZZ0624197586', 'SOV', 5, 20],
        ['Government of Zed', 'GB0004893086', 'SOV', 5, 30],
        ['Corporate Bonds', null, null, null, 30],
        ['Alpha Ltd.', 'GB00BMBL1G81', 'AAA', 5, 30],
        ['Term Deposits', null, null, null, 'Nil'],
        ['Repo', null, null, null, 20],
        ['Total Net Assets', null, null, null, 100],
        ['Interest Rate Swaps', null, null, 5, -5],
        ['Zed Bank', null, null, 5, -5],
      ],
    });
    const { start, records } = await loadWithStart(
      'sums.xlsx',
      content,
      fundAllocation,
      answer(
        ["(sheet: Sheet) => '?'", '(sheet: Sheet) => sheet.name'],
        ["'Debt Instruments': '?'", "'Debt Instruments': null"],
        ["'Government Securities': '?'", "'Government Securities': 'Government'"],
        ["'Corporate Bonds': '?'", "'Corporate Bonds': 'Corporate'"],
        ["'Term Deposits': '?'", "'Term Deposits': 'Deposits'"],
        ["Repo: '?'", "Repo: 'Repo'"],
      ),
    );
    expect(start.questions).toContain(
      'CLASSES: rows without ISIN count; null for the sum of others, or these count twice',
    );
    expect(records.find(({ fund_id }) => fund_id === 'ZBF')).toMatchObject({
      rows: [
        { label: 'Government', values: [50] },
        { label: 'Corporate', values: [30] },
        { label: 'Repo', values: [20] },
      ],
    });
  });

  test('below a heading that is there twice are of the class of the heading above, or rejected', async () => {
    const content = await buildWorkbook({
      ZGF: [
        ['Portfolio as on 30-Jun-2026'],
        [],
        ['Name of the Instrument', 'Rating', 'Quantity', '% to NAV'],
        ['Equity'],
        ['Listed'],
        ['Alpha Ltd.', 'Banks', 5, 60],
        ['Sub Total', null, 5, 60],
        ['Foreign equity'],
        ['Listed'],
        ['Beta Inc.', 'Banks', 5, 40],
        ['Sub Total', null, 5, 40],
      ],
    });
    const load = (listed: string) =>
      loadWithStart(
        'foreign.xlsx',
        content,
        fundAllocation,
        answer(
          ["(sheet: Sheet) => '?'", '(sheet: Sheet) => sheet.name'],
          ["Equity: '?'", "Equity: 'Equity'"],
          ["Listed: '?'", `Listed: ${listed}`],
          ["'Foreign equity': '?'", "'Foreign equity': 'Foreign equity'"],
        ),
      );
    expect(await workspace.describeRejection(() => load("'Equity'"))).toEqual([
      expect.stringContaining('"Listed" is there twice: null, or code'),
    ]);
    const { records } = await load('null');
    expect(records.find(({ fund_id }) => fund_id === 'ZGF')).toMatchObject({
      rows: [
        { label: 'Equity', values: [60] },
        { label: 'Foreign equity', values: [40] },
      ],
    });
  });

  test('in plain rows are added up by class, and their day is asked for', async () => {
    const content = join(
      'Zed Core ETF',
      'Ticker,Name,Asset Class,Weight (%)',
      'AAA,Alpha,Equity,60',
      'BBB,Beta,Equity,30',
      'CCC,Bank,Cash,10',
    );
    expect(await loadUnanswered('etf.csv', content, fundAllocation)).toEqual(OPEN_ADAPTER);
    const { start, records } = await loadWithStart(
      'etf.csv',
      content,
      fundAllocation,
      answer(
        ["row.text('?')", "row.text('Ticker')"],
        ["fund_id: '?'", "fund_id: 'ZCE'"],
        ["date: '?'", "date: '2026-06-30'"],
      ),
    );
    expect(start.missing).toEqual(['fund_id', 'date']);
    expect(records.find(({ fund_id }) => fund_id === 'ZCE')).toMatchObject({
      rows: [
        { label: 'Equity', values: [90] },
        { label: 'Cash', values: [10] },
      ],
    });
  });
});
