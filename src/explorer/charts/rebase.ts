type Row = readonly (number | undefined)[];

/**
 * Rows in percent of their values at the first index at which all of them are positive, those
 * without values aside; where there is none, of the first positive value of each.
 */
export function rebase(rows: readonly Row[]) {
  const withValues = rows.filter((row) => row.some((value) => value !== undefined));
  const index = withValues[0]?.findIndex((_, each) =>
    withValues.every((row) => isPositive(row[each])),
  );
  const baseIndex = index === -1 ? undefined : index;
  const bases = rows.map((row) =>
    baseIndex === undefined ? row.find(isPositive) : row[baseIndex],
  );
  const rebased = rows.map((row, each) => {
    const base = bases[each];
    return row.map((value) => (value === undefined || !base ? undefined : (value / base) * 100));
  });
  return { rows: rebased, bases, baseIndex };
}

const isPositive = (value: number | undefined) => value !== undefined && value > 0;
