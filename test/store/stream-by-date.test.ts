import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';

const WALKS = 30;

test('a walk that is left before its end leaves no file open', async () => {
  const store = await createStore();
  const records = Array.from({ length: 2_500 }, (_, index) => quote({ symbol: `ZZ${index}` }));
  await store.publish(quotes, records);
  const reader = store.reader();
  const before = openFiles();
  for (let walk = 0; walk < WALKS; walk++) {
    for await (const batch of reader.records(quotes)) {
      expect(batch.length).toBeLessThan(records.length);
      break;
    }
  }
  expect(openFiles()).toBeLessThan(before + 5);
  reader.close();
  await store.remove();
});

/** How many files this process has open. */
function openFiles(): number {
  return readdirSync('/dev/fd').length;
}
