import { expect, test } from 'bun:test';
import {
  countStored,
  formatWarningLocation,
  parseReport,
} from '../../../src/explorer/ledger/parse-report.ts';

const readFacts = (report: Readonly<Record<string, unknown>>, options = {}) =>
  Object.fromEntries(parseReport(report, options).facts.map(({ name, value }) => [name, value]));

test('parseReport names the counts of a report, without those that are 0 or empty', () => {
  const counts = { records: 2087, computed: { ytm: 12, duration: 1200 }, terms: 0 };
  const others = { uncomputable: {}, skipped: [], warnings: [] };
  expect(readFacts({ ...counts, ...others, encodings: ['a.csv: UTF-16', 'b'] })).toEqual({
    'Records read': '2,087',
    Computed: 'ytm in 12, duration in 1,200',
    Decoded: 'a.csv: UTF-16; b',
  });
});

test('parseReport leaves what it does not know as stored, by its own name', () => {
  const unknown = { year: 2026, ratio: 0.4, isDraft: false, none: null, mood: { of: 'the day' } };
  expect(readFacts({ ...unknown, parts: [{ a: 1 }, 2], text: 'a note' })).toEqual({
    year: '2026',
    ratio: '0.4',
    isDraft: 'false',
    mood: '{"of":"the day"}',
    parts: '[{"a":1},2]',
    text: 'a note',
  });
  expect(readFacts({ records: true, terms: 0.4, computed: [1], statuses: { a: 'b' } })).toEqual({
    'Records read': 'true',
    'Securities with new terms': '0.4',
    Computed: '[1]',
    Status: '{"a":"b"}',
  });
});

test('parseReport tells the options of a revision from its counts', () => {
  const options = { muted: ['ytm-range'], options: { 'retire-many': true }, records: 1000 };
  expect(readFacts({ muted: { 'ytm-range': 3 } }, options)).toEqual({
    'Muted rules': 'ytm-range',
    'Muted warnings': 'ytm-range in 3',
    options: '{"retire-many":true}',
    records: '1000',
  });
});

const warning = { file: 'a.csv', place: 'line', at: 7, field: 'ytm', text: 'too high' };

const group = { rule: 'ytm-range', count: 1, first: [warning] };

test('parseReport returns skipped rows and warnings', () => {
  const known = { skipped: ['a.csv line 1: a title'], warnings: [group] };
  expect(parseReport(known, {})).toEqual({ ...known, facts: [] });
});

test.each([
  { skipped: 3 },
  { skipped: ['a', null] },
  { warnings: 'none' },
  { warnings: [null] },
  { warnings: [{ ...group, first: undefined }] },
  { warnings: [{ ...group, first: [null] }] },
  { warnings: [{ ...group, count: '1' }] },
])('parseReport shows %p as stored', (report) => {
  const [[name, value] = []] = Object.entries(report);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  expect(parseReport(report, {})).toEqual({
    skipped: [],
    warnings: [],
    facts: [{ name: String(name), value: text }],
  });
});

test.each([
  [{}, 'a.csv line 7'],
  [{ sheet: 'B', place: 'row' }, 'a.csv sheet "B" row 7'],
  [{ place: 'record', line: 1 }, 'a.csv record 7 (line 1)'],
  [{ at: null }, 'the data as a whole'],
])('formatWarningLocation names the file and position of %p', (location, text) => {
  expect(formatWarningLocation({ ...warning, ...location })).toBe(text);
});

test('countStored counts warnings of one text as often as they were given', () => {
  const warning = { file: 'a.csv', place: 'line', at: 2, field: 'total', text: 'off by 6' };
  const group = { rule: 'parts-off-total', count: 9, first: [{ ...warning, count: 4 }, warning] };
  expect(countStored(group)).toBe(5);
});
