import { expect, test } from 'bun:test';
import { formatWarningLocation, parseReport } from '../../../src/explorer/api/parse-report.ts';

const warning = { file: 'a.csv', place: 'line', at: 7, field: 'ytm', value: 3, text: 'too high' };

test('a report is read: what was counted, left out and warned of', () => {
  const warnings = [{ rule: 'ytm-jump', count: 31, first: [warning] }];
  const read = parseReport({
    records: 2087,
    computed: { ytm: 12, duration: 1200 },
    terms: 0,
    uncomputable: {},
    skipped: ['a.csv: a title in line 1'],
    warnings,
  });
  expect(read).toEqual({
    facts: [
      { title: 'Records read', text: '2,087' },
      { title: 'Computed', text: 'ytm in 12, duration in 1,200' },
    ],
    skipped: ['a.csv: a title in line 1'],
    warnings,
    rest: undefined,
  });
});

test('what is not known stays as it is, and so does what is known but not as expected', () => {
  const odd = { mood: 'good', warnings: [{ rule: 'x' }], records: 'many' };
  expect(parseReport({ ...odd, terms: 3 })).toEqual({
    facts: [{ title: 'Securities with new terms', text: '3' }],
    skipped: [],
    warnings: [],
    rest: odd,
  });
  for (const report of ['a text', ['a', 'list'], 7, null]) {
    expect(parseReport(report)).toMatchObject({ facts: [], warnings: [], rest: report });
  }
});

test('an empty report has nothing to tell', () => {
  expect(parseReport({})).toEqual({ facts: [], skipped: [], warnings: [], rest: undefined });
});

test('a warning points to its file and place, or to the data as a whole', () => {
  expect(formatWarningLocation(warning)).toBe('a.csv line 7');
  expect(formatWarningLocation({ ...warning, place: 'record', line: 1 })).toBe(
    'a.csv record 7 (line 1)',
  );
  expect(formatWarningLocation({ ...warning, at: null })).toBe('the data as a whole');
});
