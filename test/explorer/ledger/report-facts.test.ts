import { expect, test } from 'bun:test';
import { formatLocation, listFacts } from '../../../src/explorer/ledger/report-facts.ts';

test('listFacts names the counts of a report, without those that are 0 or empty', () => {
  const counts = { records: 2087, computed: { ytm: 12, duration: 1200 }, terms: 0 };
  expect(listFacts({ ...counts, uncomputable: {}, encodings: ['a.csv: UTF-16', 'b'] })).toEqual([
    { name: 'Records read', value: '2,087' },
    { name: 'Computed', value: 'ytm in 12, duration in 1,200' },
    { name: 'Decoded', value: 'a.csv: UTF-16; b' },
  ]);
});

test('listFacts shows what it does not know by its own name', () => {
  expect(listFacts({ quotesRevision: 7, mood: { of: 'the day' } })).toEqual([
    { name: 'quotesRevision', value: '7' },
    { name: 'mood', value: '{"of":"the day"}' },
  ]);
});

const warning = { file: 'a.csv', place: 'line', at: 7, field: 'ytm', text: 'too high' };

test.each([
  [{}, 'a.csv line 7'],
  [{ sheet: 'B', place: 'row' }, 'a.csv sheet "B" row 7'],
  [{ place: 'record', line: 1 }, 'a.csv record 7 (line 1)'],
  [{ at: null }, 'the data as a whole'],
])('formatLocation names the file and position of %p', (location, text) => {
  expect(formatLocation({ ...warning, ...location })).toBe(text);
});
