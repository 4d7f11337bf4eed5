import { expect } from 'bun:test';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';

/** Expects the same records, with figures that differ by no more than computing in doubles explains. */
export function expectClose(records: readonly AnyRecord[], expected: readonly AnyRecord[]): void {
  const isClose = (figure: unknown, other: unknown) =>
    typeof figure === 'number' &&
    typeof other === 'number' &&
    Math.abs(figure - other) <= 1e-9 * Math.max(1, Math.abs(other));
  const adjusted = records.map((record, index) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => {
        const other = expected[index]?.[name];
        return [name, isClose(value, other) ? other : value];
      }),
    ),
  );
  expect(JSON.stringify(adjusted)).toBe(JSON.stringify(expected));
}
