import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import type { CellRow } from '../../src/formats/read-contents.ts';
import { readTable } from '../../src/publish/records/read-table.ts';

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
  const reading = readTable(table as never, () => ({ missing: ['date'] }) as never, {
    dataset: quotes,
    mapping: {},
    onSkipped: () => undefined,
  } as never);
  await expect(reading).rejects.toThrow();
  expect(isClosed).toBe(true);
});
