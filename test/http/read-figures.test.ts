import { expect, spyOn, test } from 'bun:test';
import { getShippedCatalogue } from '../../src/catalogue/catalogues.ts';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { type PageJob, PageReader } from '../../src/http/pages/page-reader.ts';
import { OverloadedError } from '../../src/shared/overloaded-error.ts';
import { system } from '../../src/shared/system.ts';
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

test('curves that take too long to fit are not waited for, and those that were fitted are kept', async () => {
  const store = removing(await createStore());
  const dates = ['2026-06-26', '2026-06-29', '2026-06-30'];
  await store.publish(
    quotes,
    dates.map((date) => quote({ date })),
  );
  const pages = new PageReader(closing(store.reader()));
  const history = { every: 'day', limit: 10, from: 0 } as const;
  const curve = {
    market: 'government',
    dates: undefined,
    history,
    tenors: [],
    asOf: undefined,
  } as const;
  const read = () =>
    pages.read(getShippedCatalogue([quotes]), { ...TABLE, curve }, new AbortController());
  let nowMs = 0;
  const clock = spyOn(system, 'monotonicNow').mockImplementation(() => {
    nowMs += 20_000;
    return nowMs;
  });
  await expect(read()).rejects.toThrow(OverloadedError);
  clock.mockRestore();
  expect(await read()).toMatchObject({ count: 3 });
});
