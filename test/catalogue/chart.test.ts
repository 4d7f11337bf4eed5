import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { CHART_KINDS } from '../../src/catalogue/model/chart.ts';
import { partsSumToTotal } from '../../src/catalogue/model/consistency-check.ts';

const NUMERIC = ['price', 'percent', 'years', 'amount', 'count', 'share'];

describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))('%s', (_, dataset) => {
  const { fields, chart, checks, shape } = dataset;
  const { kind, total } = chart;
  const drawn = [...chart.fields, ...(total === null ? [] : [total])];
  const isFigure = (name: string) => NUMERIC.includes(fields[name]?.kind ?? '');
  const isList = (name: string) => fields[name]?.kind === 'list';
  const unitOf = (name: string) => {
    const { unit, itemFields } = fields[name] ?? {};
    return unit ?? (itemFields?.value ?? itemFields?.values)?.unit;
  };

  test('has a chart of a kind there is, of fields that it has, each once', () => {
    expect(Object.keys(CHART_KINDS)).toContain(kind);
    expect(drawn.filter((name) => !(name in fields))).toEqual([]);
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  test('has a chart of what its kind can draw', () => {
    const isOfList = kind === 'shares' || kind === 'multiples';
    const few = isOfList ? 1 : kind === 'curve' ? 2 : chart.fields.length;
    expect(chart.fields).toHaveLength(few);
    expect(chart.fields.filter(isOfList ? isList : isFigure)).toEqual([...chart.fields]);
    if (total !== null) expect(isFigure(total)).toBe(true);
  });

  test('draws in one unit, and all that a series has in that unit', () => {
    if (shape !== 'series') return;
    const [unit] = drawn.map(unitOf);
    expect(unit).toBeString();
    const alike = Object.keys(fields).filter((name) => unitOf(name) === unit);
    expect(drawn.toSorted()).toEqual(alike.toSorted());
  });

  test('stacks up to a total only what is checked to make it', () => {
    if (kind !== 'stacked' || total === null) return;
    expect(checks).toContainEqual(partsSumToTotal(total, chart.fields));
  });
});
