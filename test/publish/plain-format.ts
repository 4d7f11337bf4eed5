import type { ValueFormat } from '../../src/publish/cells/create-converter.ts';

/** A decimal point, and no other conversion. */
export const PLAIN_FORMAT: ValueFormat = {
  decimal: '.',
  periodStyle: undefined,
  dateOrder: undefined,
  blanks: [],
};
