type Row = readonly (number | undefined)[];

/**
 * Rows in percent of their values at the first index at which all that have any are positive, which
 * is -1 where there is none: then of the first positive value of each.
 */
export function rebase(rows: readonly Row[]) {
  const withValues = rows.filter((row) => row.some((value) => value !== undefined));
  const baseIndex =
    withValues[0]?.findIndex((_, index) => withValues.every((row) => isPositive(row[index]))) ?? -1;
  const bases = rows.map((row) => (baseIndex < 0 ? row.find(isPositive) : row[baseIndex]));
  const rebased = rows.map((row, index) =>
    row.map((value) => value && bases[index] && (value / bases[index]) * 100),
  );
  return { rows: rebased, bases, baseIndex };
}

const isPositive = (value = 0) => value > 0;
