interface SortableColumn<Row> {
  readonly name: string;
  readonly sortValue?: ((row: Row) => string | number | undefined) | undefined;
}

/** By `ytm`, or descending by `-ytm`. Rows without a value come last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  sort = '',
): readonly Row[] {
  const isDescending = sort.startsWith('-');
  const sortValue = columns.find(({ name }) => name === sort.replace(/^-/, ''))?.sortValue;
  if (!sortValue) return rows;
  // Values are computed once for each row, because there may be ten thousand.
  const valued = rows.map((row) => ({ row, value: sortValue(row) }));
  valued.sort(({ value: a }, { value: b }) => {
    if (a === b) return 0;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return a < b !== isDescending ? -1 : 1;
  });
  return valued.map(({ row }) => row);
}
