/** The same rows in batches of one size; only the last may be smaller, and none is empty. */
export async function* rebatch<Row>(
  batches: AsyncIterable<readonly Row[]>,
  size: number,
): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  for await (const batch of batches) {
    for (const row of batch) {
      if (rows.push(row) < size) continue;
      yield rows;
      rows = [];
    }
  }
  if (rows.length > 0) yield rows;
}
