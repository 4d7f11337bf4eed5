import fc from 'fast-check';
import type { FileCell, OutputColumn } from '../../src/formats/file-contents.ts';

/** A column of each type. */
export const COLUMNS: readonly OutputColumn[] = [
  { name: 'price', type: 'number' },
  { name: 'accounts', type: 'integer' },
  { name: 'date', type: 'day' },
  { name: 'symbol.näme', type: 'text' },
];

/** Extreme values and nulls. */
export const ROWS: readonly (readonly FileCell[])[] = [
  [101.25, 7, '2026-06-30', 'P10PIB'],
  [null, null, null, 'Ünïcode 🙂'],
  [-0, -9007199254740991, '0001-01-01', ''],
  [5e-324, 0, '9999-12-31', null],
  [1.7976931348623157e308, 9007199254740991, '1969-12-31', '\u{10ffff}'],
];

const anyDay = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
export const anyText = fc.string({ unit: 'binary' });

/** Batches of rows of the columns above, with any values and nulls. */
export const anyBatches = (text = anyText) => {
  const row = fc.tuple(
    fc.option(fc.double({ noNaN: true })),
    fc.option(fc.maxSafeInteger()),
    fc.option(anyDay),
    fc.option(text),
  );
  return fc.array(fc.array(row, { maxLength: 40 }), { maxLength: 4 });
};
