import { chooseStatus, getMarkPlace, splitMarks, toStatus } from '../cells/status-marks.ts';
import { quoteShort } from '../cells/value-format.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { FieldSource } from '../mapping/field-sources.ts';

/** The status of a row by its marks, and a warning of each that is not known. */
export function findStatus({ fields, lists }: ColumnPlan, cells: RowCells, position: number) {
  const inLists = lists.flatMap(({ keyColumns, keyAndValueRows }) =>
    [...keyColumns, keyAndValueRows?.value ?? []].flat(),
  );
  const found = [...fields, ...inLists].flatMap((source) => findMarks(source, cells));
  const warnings = found.flatMap(({ mark, field, value }) => {
    const text = `the mark ${quoteShort(mark)} of ${quoteShort(String(value))} is not known`;
    const warning = { rule: 'unknown-mark', field, value, text, position } as const;
    return toStatus(mark) ? [] : warning;
  });
  return { status: chooseStatus(found.map(({ mark }) => toStatus(mark))), warnings };
}

function findMarks({ name, field, isStatus, readCell, convert }: FieldSource, cells: RowCells) {
  const cell = readCell(cells);
  const { plain, marks } = splitMarks(isStatus ? convert(cell) : cell, getMarkPlace(field));
  const all = isStatus && plain !== undefined ? [String(plain)] : marks;
  return all.map((mark) => ({ field: name, value: plain, mark }));
}
