import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { CHART_KINDS } from '../../src/catalogue/model/chart.ts';
import { defineCheck } from '../../src/catalogue/model/consistency-check.ts';

const NUMERIC_KINDS = ['price', 'percent', 'years', 'amount', 'count', 'share'];

const charted = catalogue.flatMap(({ chart, ...dataset }) =>
  chart ? [{ ...dataset, chart }] : [],
);

test('all datasets but reference data have a chart', () => {
  const others = catalogue.filter(({ chart }) => !chart);
  expect(others.map(({ shape }) => shape)).toEqual(Array(5).fill('reference'));
});

describe.each(charted.map((dataset) => [dataset.name, dataset] as const))(
  'the chart of %s',
  (_, dataset) => {
    const { fields, chart, checks, shape } = dataset;
    const { kind, total } = chart;
    const names = [...chart.fields, ...(total === null ? [] : [total])];
    const isFigure = (name: string) => NUMERIC_KINDS.includes(fields[name]?.kind ?? '');
    const isList = (name: string) => fields[name]?.kind === 'list';
    const getUnit = (name: string) => {
      const { unit, itemFields } = fields[name] ?? {};
      return unit ?? (itemFields?.value ?? itemFields?.values)?.unit;
    };

    test('has a known kind and names existing fields, each once', () => {
      expect(Object.keys(CHART_KINDS)).toContain(kind);
      expect(names.filter((name) => !(name in fields))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    });

    test('names fields that its kind can draw', () => {
      const isListChart = kind === 'shares' || kind === 'multiples';
      const expectedCount = isListChart ? 1 : kind === 'curve' ? 2 : chart.fields.length;
      expect(chart.fields).toHaveLength(expectedCount);
      expect(chart.fields.filter(isListChart ? isList : isFigure)).toEqual([...chart.fields]);
      if (total !== null) expect(isFigure(total)).toBe(true);
    });

    test('names every field of the series with the same unit, and no others', () => {
      if (shape !== 'series') return;
      const [unit] = names.map(getUnit);
      expect(unit).toBeString();
      const sameUnit = Object.keys(fields).filter((name) => getUnit(name) === unit);
      expect(names.toSorted()).toEqual(sameUnit.toSorted());
    });

    test('stacks components up to a total only if a check compares them', () => {
      if (kind !== 'stacked' || total === null) return;
      expect(checks).toContainEqual(defineCheck('parts-off-total', total, chart.fields));
    });
  },
);
