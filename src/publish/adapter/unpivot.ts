import type { FileCell } from '../../formats/read-contents.ts';
import type { Row } from './row.ts';

/**
 * The cells of a row that stand below names of one kind, such as periods: `getName` turns the name of
 * a column into that of the cell, or leaves the column out with undefined.
 */
export function unpivot<Name>(
  row: Row,
  getName: (column: string) => Name | undefined,
): { readonly name: Name; readonly value: FileCell }[] {
  return row.columns.flatMap((column, index) => {
    const name = column === '' ? undefined : getName(column);
    return name === undefined ? [] : [{ name, value: row.get(index) }];
  });
}
