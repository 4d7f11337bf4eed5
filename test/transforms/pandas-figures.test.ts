import { expect, test } from 'bun:test';
import { createPeriodKind } from '../../src/catalogue/model/period.ts';
import type { PeriodUnit } from '../../src/catalogue/model/period-unit.ts';
import { UNITS_CODES } from '../../src/catalogue/model/transform-parameters.ts';
import document from '../fixtures/transforms/pandas-figures.json';
import { useDeclaredServer } from './declared-server.ts';
import { expectClose } from './expect-close.ts';

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

test.each(UNITS_CODES)('figures by %s are those of pandas', async (code) => {
  const ofCode = results.filter(
    ({ parameters }) => 'units' in parameters && parameters.units === code,
  );
  expect(ofCode).not.toBeEmpty();
  for (const { dataset, parameters, first, figures } of ofCode) {
    const query = String(new URLSearchParams({ ...parameters, from: first, sort: 'asc' }));
    const records = await getRecords(`/datasets/${dataset}?${query}`);
    expect(records[0]?.period).toBe(first);
    expectClose(
      records.slice(0, figures.length).map(({ value }) => ({ query, value })),
      figures.map((value) => ({ query, value })),
    );
  }
});
