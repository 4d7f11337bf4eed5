import { describe, expect, test } from 'bun:test';
import { formatMetrics } from '../../src/metrics/format-metrics.ts';
import { buildHistogram, DURATION_BOUNDS, DurationHistogram } from '../../src/metrics/histogram.ts';
import { mergeMetrics, selectCounters } from '../../src/metrics/merge-metrics.ts';
import { buildFamily, type MergeRule, type SampleInput } from '../../src/metrics/metric-family.ts';
import { findHistogramFaults, findValue, parseMetrics } from '../support/parse-metrics.ts';

const LABELS = { route: '/a' };

const buildCounter = (name: string, help: string, values: SampleInput) =>
  buildFamily({ name, help, merge: 'sum' }, values);
const buildGauge = (name: string, help: string, merge: MergeRule, values: SampleInput) =>
  buildFamily({ name, help, merge }, values);

function buildDurations(...seconds: readonly number[]) {
  const histogram = new DurationHistogram();
  for (const each of seconds) histogram.observe(each);
  return buildHistogram('d_seconds', 'Durations.', [[LABELS, histogram]]);
}

describe('metrics as text', () => {
  test('have help and type before their values, and escape what would end a line', () => {
    const text = formatMetrics([
      buildCounter('a_total', 'Two\nlines, one \\.', [[{ x: 'say "hi"\n\\' }, 3]]),
      buildGauge('b', 'B.', 'max', [
        [{}, Number.POSITIVE_INFINITY],
        [{ c: '' }, Number.NEGATIVE_INFINITY],
      ]),
      buildGauge('left_out', 'Nothing is known.', 'max', []),
    ]);
    expect(text).toBe(
      [
        '# HELP a_total Two\\nlines, one \\\\.',
        '# TYPE a_total counter',
        'a_total{x="say \\"hi\\"\\n\\\\"} 3',
        '# HELP b B.',
        '# TYPE b gauge',
        'b +Inf',
        'b{c=""} -Inf',
        '',
      ].join('\n'),
    );
    expect(parseMetrics(text)[0]?.samples[0]?.labels).toEqual({ x: 'say "hi"\n\\' });
  });

  test('count a duration in the first bucket that is not below it, and in all after that', () => {
    const families = parseMetrics(formatMetrics([buildDurations(0.0001, 0.00011, 0.01, 11)]));
    const bucket = (le: string) => findValue(families, 'd_seconds_bucket', { le });
    expect(['0.0001', '0.00025', '0.005', '0.01', '10', '+Inf'].map(bucket)).toEqual([
      1, 2, 2, 3, 3, 4,
    ]);
    expect(findValue(families, 'd_seconds_sum', LABELS)).toBeCloseTo(11.01021, 10);
    expect(findValue(families, 'd_seconds_count', LABELS)).toBe(4);
    expect(findHistogramFaults(families)).toEqual([]);
    expect(DURATION_BOUNDS).toEqual(DURATION_BOUNDS.toSorted((a, b) => a - b));
  });
});

describe('metrics of several processes', () => {
  test('are merged by label: counters and histograms as sums, gauges by their rule', () => {
    const build = (value: number, ...seconds: number[]) => [
      buildCounter('a_total', 'A.', [[LABELS, value]]),
      buildGauge('least', 'L.', 'min', value),
      buildGauge('most', 'M.', 'max', value),
      buildDurations(...seconds),
    ];
    const other = [buildCounter('a_total', 'A.', [[{ route: '/b' }, 5]])];
    const text = formatMetrics(mergeMetrics([build(2, 0.1), build(3, 0.1, 7), other]));
    const families = parseMetrics(text);
    expect(families.map(({ name }) => name)).toEqual(['a_total', 'least', 'most', 'd_seconds']);
    expect(findValue(families, 'a_total', LABELS)).toBe(5);
    expect(findValue(families, 'a_total', { route: '/b' })).toBe(5);
    expect(findValue(families, 'least')).toBe(2);
    expect(findValue(families, 'most')).toBe(3);
    expect(findValue(families, 'd_seconds_bucket', { le: '0.1' })).toBe(2);
    expect(findValue(families, 'd_seconds_count')).toBe(3);
    expect(findHistogramFaults(families)).toEqual([]);
  });

  test('keep of a process that has ended only what it counted', () => {
    const all = [
      buildCounter('a_total', 'A.', 1),
      buildGauge('b', 'B.', 'sum', 1),
      buildDurations(1),
    ];
    expect(selectCounters(all).map(({ name }) => name)).toEqual(['a_total', 'd_seconds']);
  });
});
