import { expect, test } from 'bun:test';
import { createPeriodKind, type PeriodUnit } from '../../src/catalogue/model/period.ts';
import { UNITS_CODES } from '../../src/catalogue/model/transform-parameters.ts';
import document from '../fixtures/transforms/pandas-figures.json';
import { useDeclaredServer } from './declared-server.ts';

/** Figures of consecutive periods. */
interface Figures {
  readonly first: string;
  readonly figures: readonly (number | null)[];
}
interface Result extends Figures {
  readonly dataset: string;
  readonly parameters: object;
}
const results: readonly Result[] = document.results;

function listRecords(unit: PeriodUnit, { first, figures }: Figures) {
  const kind = createPeriodKind(unit);
  const ordinal = kind.toOrdinal(first) ?? Number.NaN;
  return figures.map((value, index) => ({ period: kind.formatLabel(ordinal + index), value }));
}

const { getRecords } = useDeclaredServer(
  (['day', 'month', 'quarter', 'year'] as const).map((unit) => [
    {
      name: `${unit}s`,
      title: unit,
      period: { kind: unit, field: 'period' },
      measures: [{ field: 'value', title: 'Value', unit: 'PKR billion', kind: 'flow' }],
    },
    listRecords(unit, document.series[`${unit}s`]),
  ]),
);

const isClose = (value: unknown, figure: number | null | undefined) =>
  typeof value === 'number' &&
  typeof figure === 'number' &&
  Math.abs(value - figure) <= 1e-10 * Math.max(1, Math.abs(figure));

test.each(UNITS_CODES)('figures by %s are those of pandas', async (code) => {
  const ofCode = results.filter(
    ({ parameters }) => 'units' in parameters && parameters.units === code,
  );
  expect(ofCode).not.toBeEmpty();
  for (const { dataset, parameters, first, figures } of ofCode) {
    const query = new URLSearchParams({ ...parameters, from: first, sort: 'asc' });
    const records = await getRecords(`/datasets/${dataset}?${query}`);
    expect(records[0]?.period).toBe(first);
    const values = figures.map((figure, index) => {
      const value = records[index]?.value;
      return isClose(value, figure) ? figure : value;
    });
    expect([dataset, query.toString(), values]).toEqual([dataset, query.toString(), [...figures]]);
  }
});
