import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import type { CellRow } from '../../src/formats/read-contents.ts';
import { readDataRows } from '../../src/publish/records/read-data-rows.ts';

test('a table without a header is closed, however many rows it has', async () => {
  let isClosed = false;
  async function* readRows(): AsyncGenerator<readonly CellRow[]> {
    try {
      for (let position = 1; ; position += 1)
        yield [{ position, cells: ['no', 'header'] } as CellRow];
    } finally {
      isClosed = true;
    }
  }
  const table = { rows: readRows(), locationUnit: 'line', isSpreadsheet: false } as const;
  const reading = readDataRows(table as never, () => ({ missing: ['date'] }) as never, {
    dataset: quotes,
    mapping: {},
    onSkipped: () => undefined,
  } as never);
  await expect(reading).rejects.toThrow();
  expect(isClosed).toBe(true);
});
