import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import {
  atmTransactionsQuarterlyValue as atmQuarters,
  atmTransactionsAnnualVolume as atmYears,
  mobileMoneyAccountsMale,
  onlineBankingAnnualVolume as online,
  posTransactionsQuarterlyVolume as pos,
  settlementTransactionsValue as settlement,
  mobileMoneyMarketShareValue as shares,
} from '../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { inspectFile } from '../../src/inspect/inspect-file.ts';
import { createStart, type Start } from '../../src/inspect/start/create-start.ts';
import { parseMapping } from '../../src/publish/mapping/mapping.ts';
import { useAdapterLoader } from '../publish/adapter/adapter-loader.ts';
import type { FileContent } from '../support/load-workspace.ts';
import { buildWorkbook } from './build-workbook.ts';

const { workspace, load } = useAdapterLoader();

async function writeStart(name: string, content: FileContent, dataset: Dataset): Promise<Start> {
  const path = workspace.writeFile(name, content);
  const start = createStart(dataset, await inspectFile({ path, name }, {}));
  if (!start) throw new Error(`there is no start for ${name}`);
  return start;
}

/** Loads a file with the start that was written for it, edited, and reads what was published. */
async function loadWithStart(
  name: string,
  content: FileContent,
  dataset: Dataset,
  edit = (text: string) => text,
) {
  const start = await writeStart(name, content, dataset);
  const text = edit(start.text);
  if (start.kind === 'mapping')
    await workspace.load(dataset, name, { mapping: parseMapping(text, 'start.json') });
  else await load(name, content, text, dataset);
  return { start, records: await workspace.readRecords(dataset) };
}

describe('what inspect writes for a dataset', () => {
  test('loads a wide table with two header rows and footnotes', async () => {
    const items = [
      ['Cash Withdrawals', 900.5, 1, 950],
      ['Cash Deposits', 20, 1, 21],
      ['Deposit of Payment Instruments', 0.5, 1, 0.4],
      ['Account to Account Fund Transfers', 28, 1, 29],
      ['Utility Bills Payments', 4, 1, 5],
      ['Third Party Account to Account Fund Transfers', 44, 1, 45],
      ['Total', 997, 6, 1050.4],
    ];
    const content = await buildWorkbook({
      'Table 5': [
        ['Table 5: ATM transactions, volume in million'],
        [],
        ['Type', 'FY23', null, 'FY24 (P)'],
        [null, 'Volume', 'Value', 'Volume'],
        ...items,
        [],
        ['P: provisional'],
        ['Source: made up'],
      ],
    });
    const { start, records } = await loadWithStart('wide.xlsx', content, atmYears);
    expect(start).toMatchObject({ kind: 'adapter', missing: [] });
    expect(start.questions).toEqual([
      'Volume is taken, not Value',
      'scale: the file says "transactions, volume in million", and the dataset is in million transactions',
    ]);
    expect(records).toMatchObject([
      { year: 'FY24', atm_cash: 950, funds_transfer: 29, funds_transfers: 45, total: 1050.4 },
      { year: 'FY23', atm_cash: 900.5, deposit_instrument: 0.5, total: 997 },
    ]);
  });

  test('adds up monthly rows by bank', async () => {
    const content = [
      'Month,Bank,Government Securities,Interbank Funds Transfers,Third Party Transfers,Ancillary Clearing',
      'Jan-2024,Alpha,"1,000.1",2,3,4',
      'Jan-2024,Beta,0.2,5,-,7',
      'Feb-2024,Alpha,1,2,3,4',
      'Total,,"1,001.3",9,6,15',
    ].join('\n');
    const { records } = await loadWithStart('banks.csv', content, settlement);
    expect(records).toEqual([
      {
        period: 'Feb 2024',
        govt_securities: 1,
        ibft: 2,
        third_party_transfer: 3,
        ancillary_clearing: 4,
      },
      {
        period: 'Jan 2024',
        govt_securities: 1000.3,
        ibft: 7,
        third_party_transfer: 3,
        ancillary_clearing: 11,
      },
    ]);
  });

  test('adds up holdings to classes, by a column or by headings, with the day above the table', async () => {
    const byColumn = [
      ['Zed Income Fund'],
      ['Portfolio as on June 30, 2026'],
      [],
      ['Sr', 'Name of Instrument', 'Asset Class', '% to Net Assets'],
      [1, 'Bill A', 'Treasury Bills', 40.1],
      [2, 'Bill B', 'Treasury Bills', 30.2],
      [3, 'Bank', 'Cash', 29.7],
      [null, 'Total', null, 100],
    ];
    const { records } = await loadWithStart(
      'holdings.xlsx',
      await buildWorkbook({ ZIF: byColumn, ZCF: byColumn }),
      fundAllocation,
    );
    const rows = [
      { label: 'Treasury Bills', values: [70.3] },
      { label: 'Cash', values: [29.7] },
    ];
    const periods = [{ label: 'Jun 2026', date: '2026-06-30' }];
    expect(records).toMatchObject([
      { fund_id: 'ZCF', periods, rows },
      { fund_id: 'ZIF', periods, rows },
    ]);

    const byHeading = [
      ['Portfolio Statement as on 31-Jul-2026'],
      [],
      ['Name of the Instrument', 'Rating', 'Quantity', '% to NAV'],
      ['Debt Instruments'],
      ['Bond A', 'AAA', 5, 60],
      ['Bond B', 'AA', 5, 20],
      ['Sub Total', null, 10, 80],
      ['TREPS'],
      ['Repo', 'none', 1, 15],
      ['Sub Total', null, 1, 15],
      ['Net Receivables', null, null, 5],
      ['Grand Total', null, null, 100],
      ['Notes: unaudited'],
    ];
    const content = await buildWorkbook({ ZHF: byHeading });
    const second = await loadWithStart('headings.xlsx', content, fundAllocation);
    expect(second.records.find(({ fund_id }) => fund_id === 'ZHF')).toMatchObject({
      rows: [
        { label: 'Debt Instruments', values: [80] },
        { label: 'TREPS', values: [15] },
        { label: 'Net Receivables', values: [5] },
      ],
    });
  });

  test('reads nested JSON by year and quarter', async () => {
    const quarter = {
      cash_withdrawl: 10,
      intra_bank: 3,
      inter_bank: 2,
      utility_bills: 1,
      cash_deposits: 2,
      total: 18,
    };
    const content = JSON.stringify({
      source: 'made up',
      data: { 2023: { Q3: quarter, Q4: quarter }, 2024: { Q1: quarter } },
    });
    const { start, records } = await loadWithStart('nested.json', content, atmQuarters);
    expect(start.text).toContain("file.json('data.*.*')");
    expect(records).toEqual(
      ['Q1 2024', 'Q4 2023', 'Q3 2023'].map((period) => ({ period, ...quarter })),
    );
  });

  test('takes figures below a year and quarter of JSON by the names beside them', async () => {
    const entry = (name: string, amount: number) => ({
      name,
      paymentInstruments: [
        { type: 'CARD', count: 7, amount: 1 },
        { type: 'TOTAL', count: 9, amount },
      ],
    });
    const transactionData = [
      entry('Cash withdrawal', 10.5),
      entry('Intra-bank fund transfer', 3),
      entry('Inter-bank fund transfers', 2),
      entry('Peer-to-peer payments', 1),
      entry('Cash deposits', 2),
      entry('Total', 18.5),
    ];
    const content = JSON.stringify({
      data: { 2023: { 4: { transactionData } }, 2024: { 1: { transactionData } } },
    });
    const { start, records } = await loadWithStart('nested.json', content, atmQuarters, (text) =>
      text.replace("// 'Peer-to-peer payments': ''", "'Peer-to-peer payments': 'utility_bills'"),
    );
    expect(start).toMatchObject({
      missing: ['utility_bills'],
      reasons: ['the records are nested'],
    });
    expect(start.text).toContain("file.json('data.*.*')");
    expect(start.questions).toEqual([
      'amount is taken, not count',
      'scale: the dataset is in PKR billion, and amount has up to 18.5',
    ]);
    const figures = { cash_withdrawl: 10.5, intra_bank: 3, inter_bank: 2, utility_bills: 1 };
    expect(records).toEqual(
      ['Q1 2024', 'Q4 2023'].map((period) => ({
        period,
        ...figures,
        cash_deposits: 2,
        total: 18.5,
      })),
    );

    const byName = { Alpha: { TOTAL: { amount: 30 } }, Beta: { TOTAL: { amount: 10 } } };
    const months = JSON.stringify({ data: { 2024: { Jan: byName, Feb: byName } } });
    const lists = await loadWithStart('months.json', months, shares);
    const operators = [
      { key: 'Alpha', value: 0.75 },
      { key: 'Beta', value: 0.25 },
    ];
    expect(lists.records).toEqual(
      ['Feb 2024', 'Jan 2024'].map((period) => ({ period, operators })),
    );
  });

  test('reads semicolons and decimal commas in Latin-1, with a line to add for what is missing', async () => {
    const content = Buffer.from(
      [
        'Börse Zedstadt; Kurse vom 30.06.2026',
        'Datum;Kürzel;ISIN;Fälligkeit;Geldkurs;Briefkurs;Letzter Kurs;Umsatz;Rendite;Kupon',
        '30.06.2026;Anleihe 27;ZZ0624197586;15.02.2027;98,125;98,250;98,200;1.250.000;4,45;1,50',
      ].join('\n'),
      'latin1',
    );
    const start = await writeStart('kurse.csv', content, quotes);
    expect(start).toMatchObject({ kind: 'mapping', missing: ['type'], questions: [] });
    const { records } = await loadWithStart('kurse.csv', content, quotes, (text) =>
      text.replace('"fields": {', '"fields": { "type": "bond",'),
    );
    expect(records).toMatchObject([
      {
        symbol: 'Anleihe 27',
        maturityDate: '2027-02-15',
        bidPrice: 98.125,
        volume: 1250000,
        ytm: 4.45,
      },
    ]);
  });

  test('takes the coupon out of a name, and leaves out sums', async () => {
    const content = [
      'Trade Date,Security Description,ISIN No,Maturity,Close Price,Traded Volume',
      '30-Jun-2026,ZED FINANCE NCD 9.90% 2029,INE001A07XX1,15-Mar-2029,101.25,500000',
      'Total,,,,,500000',
    ].join('\n');
    const { records } = await loadWithStart('ncd.csv', content, quotes, (text) =>
      text.replace("type: ''", "type: 'corporate'"),
    );
    expect(records).toMatchObject([{ lastPrice: 101.25, ytm: expect.closeTo(9.357, 2) }]);
    expect(await workspace.readRecords(securities)).toMatchObject([{ couponRate: 9.9 }]);
  });

  test('asks for prices that are no plain numbers, instead of taking them as none', async () => {
    const content = [
      'CUSIP,Coupon,Maturity,Trade Date,Bid,Asked',
      '912828AB1,4.5,2030-05-15,2026-06-30,99-10,99-12',
      '912828AB2,4.6,2031-05-15,2026-06-30,99-11+,99-13',
    ].join('\n');
    const { missing, text } = await writeStart('notes.csv', content, quotes);
    expect(missing).toEqual(['type', 'bidPrice', 'askPrice']);
    expect(text).toContain('Bid has no plain numbers, but 99-10');
  });

  test('takes the prices of Tesouro from the side of the market', async () => {
    const content = [
      'Tipo Titulo;Data Vencimento;Data Base;PU Compra Manha;PU Venda Manha',
      'Tesouro Prefixado;01/01/2029;16/06/2026;790,02;789,12',
      'Tesouro Prefixado;31/01/2032;16/06/2026;556,02;555,12',
    ].join('\n');
    const { text } = await writeStart('tesouro.csv', content, quotes);
    expect(JSON.parse(text).columns).toMatchObject({
      'PU Compra Manha': 'askPrice',
      'PU Venda Manha': 'bidPrice',
    });
  });

  test('takes the keys of a list from the column that is named after it, and adds them up', async () => {
    const content = [
      'Month,Bank,Province,Male Accounts',
      'Jan 2026,Alpha,Punjab,10',
      'Jan 2026,Alpha,Sindh,5',
      ',Beta,Sindh,1020',
    ].join('\n');
    const name = 'accounts.csv';
    const { start, records } = await loadWithStart(name, content, mobileMoneyAccountsMale);
    expect(start).toMatchObject({ kind: 'adapter', missing: [] });
    const provinces = [
      { key: 'Punjab', value: 10 },
      { key: 'Sindh', value: 1025 },
    ];
    expect(records).toEqual([{ period: 'Jan 2026', national: 1035, provinces }]);
  });

  test('turns amounts into shares of their total, in rows, across columns and in JSON', async () => {
    const operators = [
      { key: 'Alpha', value: 0.75 },
      { key: 'Beta', value: 0.25 },
    ];
    const rows = 'Month,Operator,Amount\nJan 2025,Alpha,300\nJan 2025,Beta,100\nTotal,,400\n';
    await loadWithStart('amounts.csv', rows, shares);
    const across = 'Operator,Feb 2025,Mar 2025\nAlpha,300,60\nBeta,100,20\n';
    await loadWithStart('amounts-across.csv', across, shares);
    const objects = operators.map(({ key, value }) => ({
      month: 'Apr 2025',
      operator: key,
      value,
    }));
    const amounts = objects.map((object) => ({ ...object, value: object.value * 1000 }));
    const json = JSON.stringify({ data: amounts });
    const { records } = await loadWithStart('amounts.json', json, shares);
    for (const period of ['Jan 2025', 'Feb 2025', 'Mar 2025', 'Apr 2025'])
      expect(records).toContainEqual({ period, operators });
    const columns = await writeStart('columns.csv', 'Month,Alpha,Beta\nJan 2025,300,100\n', shares);
    expect(columns.missing).toEqual(['operators']);
    const fund = 'Fund,Month,Asset Class,Value\nZ,Jun 2026,Cash,50000\n';
    const { questions } = await writeStart('fund.csv', fund, fundAllocation);
    expect(questions[0]).toStartWith('shares: value is in percent, and Value has up to 50000');
  });

  test('reads the coupon of a gilt, whose name has a fraction', async () => {
    const content = [
      'Trade Date,Gilt Name,ISIN Code,Redemption Date,Clean Price,Duration',
      '30-Jun-2026,4¼% Treasury Gilt 2032,GB0004893086,07-Jun-2032,£99.120,5.01',
      '30-Jun-2026,⅛% Treasury Gilt 2028,GB00BMBL1G81,31-Jan-2028,£94.510,1.51',
    ].join('\n');
    await loadWithStart('gilts.csv', content, quotes, (text) =>
      text.replace("type: ''", "type: 'bond'"),
    );
    expect(await workspace.readRecords(securities)).toMatchObject([
      { couponRate: 4.25 },
      { couponRate: 0.125 },
    ]);
  });

  test('reads fiscal quarters, and says what it takes them for', async () => {
    const content = [
      'Quarter,ATM Cash Withdrawals,Intra Bank Funds Transfers,Inter Bank Funds Transfers,Utility Bills,Cash Deposits,Total',
      'Q2-FY24,100.5,20,10,3,5,138.5',
      'Q3-FY24P,110.5,20,10,3,5,148.5',
    ].join('\n');
    const { start, records } = await loadWithStart('fiscal.csv', content, atmQuarters);
    expect(start).toMatchObject({ kind: 'mapping', missing: [] });
    expect(start.questions[0]).toStartWith('periods: "sbp" takes fiscal years as July to June');
    expect(records.map(({ period, inter_bank }) => [period, inter_bank])).toEqual([
      ['Q3 2024', 10],
      ['Q2 2024', 10],
    ]);
  });

  test('reads several days in one workbook, by the names of its sheets', async () => {
    const board = [
      ['Zedland Stock Exchange: board'],
      [],
      ['Symbol', 'Type', 'Maturity', 'Bid', 'Offer', 'Last', 'Volume', 'Coupon'],
      ['ZB1', 'bond', '2030-01-15', 98.5, 98.9, 98.7, 1000, 5],
    ];
    const content = await buildWorkbook({
      About: [['This workbook was made up']],
      '29-Jun-2026': board,
      '30-Jun-2026': board,
    });
    const { records } = await loadWithStart('days.xlsx', content, quotes);
    expect(records.map(({ date, symbol, askPrice }) => [date, symbol, askPrice])).toEqual([
      ['2026-06-30', 'ZB1', 98.9],
      ['2026-06-29', 'ZB1', 98.9],
    ]);
  });

  test('reads lists by key, across the columns and in rows', async () => {
    const across = 'Operator,Jan 2024,Feb 2024\nAlpha,0.6,0.5\nBeta,0.4,0.5\n';
    const { records } = await loadWithStart('across.csv', across, shares);
    const operators = [
      { key: 'Alpha', value: 0.6 },
      { key: 'Beta', value: 0.4 },
    ];
    expect(records[1]).toEqual({ period: 'Jan 2024', operators });
    const rows = 'Month,Operator,Share\nMar 2024,Alpha,0.6\nMar 2024,Beta,0.4\n';
    const second = await loadWithStart('rows.csv', rows, shares);
    expect(second.start.kind).toBe('mapping');
    expect(second.records[0]).toEqual({ period: 'Mar 2024', operators });
  });

  test('reads days across the columns, and a list of flat objects', async () => {
    const columns = 'Symbol,Maturity,Coupon,2026-06-29,2026-06-30\nZB1,2030-01-15,5,98.5,98.6\n';
    const setType = (text: string) => text.replace("type: ''", "type: 'bond'");
    const { records } = await loadWithStart('columns.csv', columns, quotes, setType);
    expect(records.map(({ date, lastPrice }) => [date, lastPrice])).toEqual([
      ['2026-06-30', 98.6],
      ['2026-06-29', 98.5],
    ]);
    const list = JSON.stringify([{ ticker: 'ZB9', 'Issuer Name': 'Zedland', coupon: 5 }]);
    const terms = await loadWithStart('terms.json', list, securities);
    expect(terms.start.kind).toBe('mapping');
    expect(terms.records.at(-1)).toMatchObject({ symbol: 'ZB9', issuer: 'Zedland', couponRate: 5 });
    const byIsin = 'ISIN,Security Name\nZZ0000000016,Zedland 5 %\n';
    const { records: named } = await loadWithStart('isins.csv', byIsin, securities);
    expect(named).toContainEqual(
      expect.objectContaining({ symbol: 'ZZ0000000016', name: 'Zedland 5 %' }),
    );
  });

  test('joins a year and a month of a header, and fills years down', async () => {
    const content = await buildWorkbook({
      Payments: [
        ['System', 'Volume', null, 'Value', null],
        [null, '2025', '2026', '2025', '2026'],
        [null, 'Jun', 'Jun', 'Jun', 'Jun'],
        ['Government securities', 1, 2, 3, 4],
        ['Inter-bank fund transfers', 1, 2, 5, 6],
        ['Third-party customer transfers', 1, 2, 7, 8],
        ['Ancillary clearing settlement', 1, 2, 9, 10],
      ],
    });
    const { records } = await loadWithStart('rbi.xlsx', content, settlement);
    expect(records.map(({ period, ibft }) => [period, ibft])).toEqual([
      ['Jun 2026', 6],
      ['Jun 2025', 5],
    ]);
    const cards = ['Debit card', 'Credit cards', 'Pre-paid cards', 'Social welfare card'];
    const rows = ['2024,Q1,1,2,3,4,5', ',Q2,2,2,3,4,5'];
    const csv = [['Year,Quarter,ATM', ...cards].join(','), ...rows].join('\n');
    const second = await loadWithStart('pos.csv', csv, pos);
    expect(second.start.reasons).toEqual(['cells hold for the rows below them']);
    expect(second.records.map(({ period, atm }) => [period, atm])).toEqual([
      ['Q2 2024', 2],
      ['Q1 2024', 1],
    ]);
  });

  test('stops where another table follows, and takes classes from columns', async () => {
    const stacked = [
      'Year,Cash withdrawal,Cash deposit,Account to account funds transfer,Total transactions',
      '2023,1,2,3,6',
      '2024,2,3,4,9',
      '',
      'Table 2',
      'Year,Cards,ATMs',
      '2023,100,200',
      '2024,101,201',
    ].join('\n');
    const { start, records } = await loadWithStart('stacked.csv', stacked, online);
    expect(start.reasons).toEqual(['another table follows']);
    expect(records).toHaveLength(2);
    const wide = 'Fund,Month,Cash,T-Bills\nZed A,Jun 2026,40,60\n';
    const funds = await loadWithStart('funds.csv', wide, fundAllocation);
    expect(funds.records).toMatchObject([
      {
        fund_id: 'Zed A',
        rows: [
          { label: 'Cash', values: [40] },
          { label: 'T-Bills', values: [60] },
        ],
      },
    ]);
  });

  test('turns words into instrument types, and leaves open what it does not know', async () => {
    const content = [
      'Security Type,CUSIP,Maturity Date,Price per $100,Auction Date',
      'Bill,912797AA1,09/24/2026,98.953,06/22/2026',
      'Oddity,91282CAB2,06/30/2028,99.88,06/23/2026',
    ].join('\n');
    const { text, questions } = await writeStart('auctions.csv', content, quotes);
    expect(questions).toEqual([expect.stringMatching(/^couponRate: no column has coupons/)]);
    expect(JSON.parse(text)).toMatchObject({
      dates: 'mdy',
      columns: { CUSIP: 'symbol', 'Price per $100': 'lastPrice', 'Auction Date': 'date' },
      fields: {
        type: {
          like: [
            ['^Bill$', 'tbill'],
            ['^Oddity$', ''],
          ],
        },
      },
    });
  });

  test('takes days out of times, figures out of amounts, and symbols out of names', async () => {
    const toBonds = (text: string) => text.replace("type: ''", "type: 'bond'");
    const amounts =
      'Symbol;Trade Date;Maturity;Price;Coupon\nZB1;30/06/2026;15/01/2030;98,50 €;5\n';
    const first = await loadWithStart('amounts.csv', amounts, quotes, toBonds);
    expect(first.records).toMatchObject([{ symbol: 'ZB1', lastPrice: 98.5 }]);
    const bond = { at: '2026-06-30T15:30:00Z', maturity: '2030-01-15', last: 98.5, coupon: 5 };
    const keyed = JSON.stringify({ ZB2: bond, ZB3: bond });
    const second = await loadWithStart('keyed.json', keyed, quotes, toBonds);
    expect(second.records.map(({ date, symbol }) => [date, symbol])).toEqual([
      ['2026-06-30', 'ZB1'],
      ['2026-06-30', 'ZB2'],
      ['2026-06-30', 'ZB3'],
    ]);
  });

  test('leaves out columns without a name, and names days that are numbers', async () => {
    const indexed = ',Year,Cash withdrawal\n0,2024,1\n1,2023,2\n';
    const { text } = await writeStart('indexed.csv', indexed, online);
    expect(JSON.parse(text)).toMatchObject({ otherColumns: 'ignore' });
    const serials = await buildWorkbook({
      Board: [
        ['Symbol', 'Trade Date', 'Price'],
        ['ZB1', 46203, 98.5],
        ['ZB2', 46203, 97.5],
      ],
    });
    const start = await writeStart('serials.xlsx', serials, quotes);
    expect(JSON.parse(start.text).about).toContain('Trade Date has days as numbers, such as 46203');
  });

  test('chooses the sheet that holds the dataset, or the one that is named', async () => {
    const header = ['Year', 'Cash withdrawal', 'Cash deposit', 'Funds transfer', 'Total'];
    const content = await buildWorkbook({
      Cards: [['Year', 'Cards', 'Banks'], ...[2023, 2024, 2025].map((year) => [year, 1, 2])],
      Online: [header, [2024, 1, 2, 3, 6]],
      'Online old': [
        ['Year', 'Cash withdrawal'],
        [2023, 1],
      ],
    });
    const { start, records } = await loadWithStart('book.xlsx', content, online);
    expect(JSON.parse(start.text)).toMatchObject({ sheet: 'Online' });
    expect(records).toMatchObject([{ year: '2024', total: 6 }]);
    const path = workspace.writeFile('book.xlsx', content);
    const profile = await inspectFile({ path, name: 'book.xlsx' }, { sheet: 'online OLD' });
    expect(createStart(online, profile)?.missing).toEqual([
      'cash_deposit',
      'funds_transfer',
      'total',
    ]);
  });

  test('asks about fractions for percentages, and about sums among rows that are added up', async () => {
    const content = 'Fund,Month,Asset Class,Weight\nZ,Jun 2026,Cash,0.5\nZ,Jun 2026,Cash,0.5\n';
    const { questions } = await writeStart('fractions.csv', content, fundAllocation);
    expect(questions).toEqual([
      'scale: value is in percent, and Weight has no more than 0.5',
      'rows: those of one record are added up; leave out any that are sums themselves',
    ]);
  });

  test('asks where a decimal sign or the order of a date is ambiguous', async () => {
    const content = 'Date;Symbol;Maturity;Price\n03/04/2026;ZB1;01/02/2030;98,125\n';
    const { questions, text } = await writeStart('unsure.csv', content, quotes);
    expect(questions.slice(0, 2)).toEqual([
      'decimal: "." or ","; figures such as "98,125" may be either',
      'dates: "dmy" or "mdy"; days such as "03/04/2026" may be either',
    ]);
    expect(JSON.parse(text)).toMatchObject({ decimal: '?', dates: '?' });
    expect(() => parseMapping(text, 'start.json')).toThrow('"decimal" must be "." or ","');
  });
});
