import { expect, spyOn, test } from 'bun:test';
import { getCurveReader } from '../../src/analytics/curve-reader.ts';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { readAnalytics } from '../../src/operations/analytics/read-analytics.ts';
import { OverloadedError } from '../../src/shared/overloaded-error.ts';
import { system } from '../../src/shared/system.ts';
import type { StoreReader } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';

const DATE = quotes.example.date;
const never = new AbortController().signal;

/** Both need the government curve of one day. */
function readFigures(reader: StoreReader, asOf: number) {
  const dates = { market: 'government', dates: [DATE], tenors: [], asOf } as const;
  const security = { kind: 'quotes', dataset: quotes, security: quotes.example.symbol } as const;
  return [
    () => getCurveReader(reader).read(quotes, dates, never),
    () => readAnalytics(reader, { ...security, limit: 1, months: 3, asOf }, never),
  ];
}

const { closing, removing } = closeAfterEach();

test('figures are fitted anew if quotes or terms changed, and not for other datasets', async () => {
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
  const countFits = async () => {
    readDays = 0;
    const revision = await reader.revision();
    for (const read of readFigures(countingReader, revision)) {
      const figures = await read();
      expect([figures.texts.length, figures.revision]).toEqual([1, revision]);
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
  const reader = closing(store.reader());
  const history = { every: 'day', limit: 10, from: 0 } as const;
  const curve = {
    market: 'government',
    dates: undefined,
    history,
    tenors: [],
    asOf: await reader.revision(),
  } as const;
  const read = () => getCurveReader(reader).read(quotes, curve, new AbortController().signal);
  let nowMs = 0;
  const clock = spyOn(system, 'monotonicNow').mockImplementation(() => {
    nowMs += 20_000;
    return nowMs;
  });
  await expect(read()).rejects.toThrow(OverloadedError);
  clock.mockRestore();
  expect((await read()).texts).toHaveLength(3);
});
