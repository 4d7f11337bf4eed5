import { expect, test } from 'bun:test';
import { getShippedCatalogue } from '../../src/catalogue/catalogues.ts';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { type PageJob, PageReader } from '../../src/http/pages/page-reader.ts';
import type { StoreReader } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';

const DATE = quotes.example.date;
const TABLE = { datasets: [quotes.name], format: 'json', target: '/' } as const;
/** Both of the government curve of one day. */
const JOBS: readonly PageJob[] = [
  { ...TABLE, curve: { market: 'government', dates: [DATE], tenors: [], asOf: undefined } },
  { ...TABLE, analytics: { months: 3, kind: 'quotes', security: quotes.example.symbol, limit: 1 } },
];

const { closing, removing } = closeAfterEach();

test('figures are fitted anew where quotes or terms changed, and not for other datasets', async () => {
  const store = removing(await createStore());
  await store.publish(quotes, [quotes.example]);
  const reader = closing(store.reader());
  let readDays = 0;
  const countingReader: StoreReader = {
    ...reader,
    read(selection) {
      if (selection.kind === 'quotes' && selection.dateRange) readDays += 1;
      return reader.read(selection);
    },
  };
  const pages = new PageReader(countingReader);
  const countFits = async () => {
    readDays = 0;
    for (const job of JOBS) {
      const page = await pages.read(getShippedCatalogue([quotes]), job, new AbortController());
      expect(page).toMatchObject({ count: 1, revision: await reader.revision() });
    }
    return readDays;
  };
  expect(await countFits()).toBe(1);
  expect(await countFits()).toBe(0);
  await store.publish(funds, [funds.example]);
  expect(await countFits()).toBe(0);
  await store.publish(quotes, [quote({ symbol: 'ANOTHER' })]);
  expect(await countFits()).toBe(1);
  await store.publish(securities, [securities.example]);
  expect(await countFits()).toBe(1);
});
