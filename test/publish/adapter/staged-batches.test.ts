import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { FileItem } from '../../../src/formats/read-contents.ts';
import type { ReadingFile } from '../../../src/publish/adapter/opened-file.ts';
import { streamRecordBatches } from '../../../src/publish/adapter/record-batches.ts';
import { decodeItems, ItemEncoder } from '../../../src/publish/adapter/staged-batches.ts';

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

test('items of any names and values are the same on the other side of a thread', () => {
  fc.assert(
    fc.property(fc.array(ITEM, { maxLength: 5 }), (items) => {
      const encoder = new ItemEncoder();
      for (const item of items) encoder.add(item);
      expect(encoder.count).toBe(items.length);
      expect(decodeItems(structuredClone(encoder.take()))).toEqual(items);
      expect(encoder.count).toBe(0);
    }),
  );
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
    ...decodeItems(items).map(({ position }) => position),
  ]);
  expect(positions).toEqual([
    ['record', 1, 2],
    ['line', 7],
  ]);
});
