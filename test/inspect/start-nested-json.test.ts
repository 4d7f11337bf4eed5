import { describe, expect, test } from 'bun:test';
import {
  atmTransactionsQuarterlyValue as atmQuarters,
  mobileMoneyMarketShareValue as shares,
} from '../../src/catalogue/datasets/series/index.ts';
import { useStartLoader } from './start-loader.ts';

const { writeStart, loadWithStart, loadUnanswered } = useStartLoader();

describe('what inspect writes for nested JSON', () => {
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
    expect(start.text).toContain("const PATH = 'data.*.*';");
    expect(records).toEqual(
      ['Q1 2024', 'Q4 2023', 'Q3 2023'].map((period) => ({ period, ...quarter })),
    );
  });

  test('takes figures below a year and quarter of JSON by the names above or in them', async () => {
    const names = [
      ['Cash withdrawal', 10.5],
      ['Intra-bank fund transfer', 3],
      ['Inter-bank fund transfers', 2],
      ['Peer-to-peer payments', 1],
      ['Cash deposits', 2],
      ['Total', 18.5],
    ] as const;
    const entries = names.map(([name, amount]) => ({ name, amount }));
    const content = JSON.stringify({
      data: { 2023: { 4: { entries } }, 2024: { 1: { entries } } },
    });
    const { start, records } = await loadWithStart('nested.json', content, atmQuarters, (text) =>
      text.replace("'Peer-to-peer payments': '?'", "'Peer-to-peer payments': 'utility_bills'"),
    );
    expect(start).toMatchObject({
      missing: ['utility_bills'],
      reasons: ['the records are nested'],
      questions: ['unit: the dataset is in PKR billion, and amount has up to 18.5'],
    });
    const figures = { cash_withdrawl: 10.5, intra_bank: 3, inter_bank: 2, utility_bills: 1 };
    expect(records).toEqual(
      ['Q1 2024', 'Q4 2023'].map((period) => ({
        period,
        ...figures,
        cash_deposits: 2,
        total: 18.5,
      })),
    );
    const byName = { Alpha: { TOTAL: { share: 0.75 } }, Beta: { TOTAL: { share: 0.25 } } };
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

  test('asks for the name and the figure where there are several', async () => {
    const parts = [
      { type: 'CARD', count: 7, amount: 1 },
      { type: 'TOTAL', count: 9, amount: 2 },
    ];
    const entries = [{ name: 'Cash withdrawal', parts }];
    const content = JSON.stringify({
      data: { 2023: { 4: { entries } }, 2024: { 1: { entries } } },
    });
    const { questions } = await writeStart('parts.json', content, atmQuarters);
    expect(questions.slice(0, 2)).toEqual([
      'getName: the text that says what a figure is; then FIELDS',
      'getFigure: count or amount',
    ]);
    expect(await loadUnanswered('parts.json', content, atmQuarters)).toEqual([
      expect.stringMatching(/^adapter\.ts line \d+: '\?' is to be filled in/),
    ]);
  });
});
