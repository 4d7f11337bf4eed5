import { expect, test } from 'bun:test';
import { createPeriodKind } from '../../src/catalogue/model/period.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { readGroups } from '../../src/transforms/observation-source.ts';
import { nestPeriods } from '../../src/transforms/period-nesting.ts';

test('a period that was read keeps one figure of each measure, not those of all of its days', async () => {
  const [days, years] = [createPeriodKind('day'), createPeriodKind('year')];
  const first = parseDay('2025-01-01');
  const points = Array.from({ length: 365 }, (_, day) => ({
    ordinal: first + day,
    label: '',
    dimensions: [],
    values: [1, day],
  }));
  const source = { kind: days, read: () => ({ points }), findPeriods: () => [] };
  const nesting = nestPeriods(days, years);
  if (!nesting) throw new TypeError('days make up years');
  const range = { limit: 1, isOldestFirst: true };
  const getAggregate = (index: number) => (['sum', 'last'] as const)[index] ?? 'first';
  const groups = await Array.fromAsync(readGroups(source, nesting, range, getAggregate));
  expect(groups.flat().map(({ figures }) => figures)).toEqual([
    [
      { figure: 365, count: 365 },
      { figure: 364, count: 365 },
    ],
  ]);
});
