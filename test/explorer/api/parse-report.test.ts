import { describe, expect, test } from 'bun:test';
import { formatWarningLocation, parseReport } from '../../../src/explorer/api/parse-report.ts';

const warning = { file: 'a.csv', place: 'line', at: 7, field: 'ytm', value: 3, text: 'too high' };
const EMPTY_REPORT = { facts: [], skipped: [], warnings: [], rest: undefined };

describe('parseReport', () => {
  test('extracts counts, skipped rows and warnings', () => {
    const skipped = ['a.csv: a title in line 1'];
    const warnings = [{ rule: 'ytm-jump', count: 31, first: [warning] }];
    const counts = { records: 2087, computed: { ytm: 12, duration: 1200 }, terms: 0 };
    expect(parseReport({ ...counts, uncomputable: {}, skipped, warnings })).toEqual({
      facts: [
        { title: 'Records read', text: '2,087' },
        { title: 'Computed', text: 'ytm in 12, duration in 1,200' },
      ],
      skipped,
      warnings,
      rest: undefined,
    });
  });

  test('keeps unknown members, and known ones of an unexpected type, as they are', () => {
    const unexpected = { mood: 'good', warnings: [{ rule: 'x' }], records: 'many' };
    expect(parseReport({ ...unexpected, terms: 3 })).toEqual({
      ...EMPTY_REPORT,
      facts: [{ title: 'Securities with new terms', text: '3' }],
      rest: unexpected,
    });
  });

  test.each(['a text', ['a', 'list'], 7, null].map((report) => [report]))(
    'keeps a report that is no object as it is: %p',
    (report) => {
      expect(parseReport(report)).toEqual({ ...EMPTY_REPORT, rest: report });
    },
  );
});

test.each([
  [{}, 'a.csv line 7'],
  [{ place: 'record', line: 1 }, 'a.csv record 7 (line 1)'],
  [{ at: null }, 'the data as a whole'],
])('formatWarningLocation names the file and position of %p', (location, text) => {
  expect(formatWarningLocation({ ...warning, ...location })).toBe(text);
});
