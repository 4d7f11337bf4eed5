import { expect, test } from 'bun:test';
import { rmSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { FileItem } from '../../../src/formats/read-contents.ts';
import type { ReadingFile } from '../../../src/publish/adapter/opened-file.ts';
import { streamRecordBatches } from '../../../src/publish/adapter/record-batches.ts';
import {
  readStagedBatches,
  StagedBatchWriter,
} from '../../../src/publish/adapter/staged-batches.ts';
import { createTempFolder } from '../../support/store.ts';

const VALUE = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '1', '\u001f', '\u0002', '"', '') }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.record({ key: fc.string(), value: fc.integer() }), { maxLength: 2 }),
);
const LOCATED = { position: fc.nat(), line: fc.integer({ min: 1 }) };
const ITEM: fc.Arbitrary<FileItem> = fc.oneof(
  fc.record({ ...LOCATED, value: VALUE }, { requiredKeys: ['position', 'value'] }),
  fc
    .record(
      { ...LOCATED, members: fc.dictionary(fc.string(), VALUE, { maxKeys: 3 }) },
      {
        requiredKeys: ['position', 'members'],
      },
    )
    .map(({ members, ...located }) => ({
      ...located,
      names: Object.keys(members),
      value: Object.values(members),
    })),
);

test('items of any names and values are the same on the other side of a file', async () => {
  const folder = createTempFolder();
  let count = 0;
  const batches = fc.array(fc.array(ITEM, { maxLength: 5 }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(batches, async (lists) => {
      const path = join(folder, `records-${count++}`);
      const written = lists.map((items) => ({ unit: 'line', sheets: ['a\n'], items }) as const);
      const writer = new StagedBatchWriter(path);
      for (const batch of written) writer.write(batch);
      writer.close();
      expect(await Array.fromAsync(readStagedBatches(path))).toEqual(written);
    }),
  );
  rmSync(folder, { recursive: true });
});

test('a batch of more than one part of a file is read whole, and one that is cut short is not', async () => {
  const path = join(createTempFolder(), 'records');
  const items = [{ position: 1, names: ['a'], value: ['é'.repeat(1_000_000)] }];
  const writer = new StagedBatchWriter(path);
  for (const unit of ['line', 'row'] as const) writer.write({ unit, sheets: [], items });
  writer.close();
  const read = await Array.fromAsync(readStagedBatches(path));
  expect(read.map((batch) => [batch.unit, batch.items])).toEqual([
    ['line', items],
    ['row', items],
  ]);
  truncateSync(path, statSync(path).size - 3);
  await expect(Array.fromAsync(readStagedBatches(path))).rejects.toThrow('is cut short');
  rmSync(dirname(path), { recursive: true });
});

test('records from before and after the first line that was read are located in units of their own', async () => {
  const file = { sheetNames: [] as string[] } as ReadingFile;
  const adapter = function* () {
    yield { a: 1 };
    yield { a: 2 };
    Object.assign(file, { unit: 'line', current: { position: 7 } });
    yield { a: 3 };
  };
  const batches = await Array.fromAsync(streamRecordBatches(adapter, file, () => {}));
  const positions = batches.map(({ unit, items }) => [
    unit,
    ...items.map(({ position }) => position),
  ]);
  expect(positions).toEqual([
    ['record', 1, 2],
    ['line', 7],
  ]);
});
