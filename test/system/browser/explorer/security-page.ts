import type { Locator, Page } from 'playwright-core';
import { quotes as declared } from '../../../../src/catalogue/datasets/quotes.ts';
import { getKey, publishAt } from '../../../support/publish-at.ts';
import { type Quote, quote } from '../../../support/quote-fixture.ts';
import type { TestStore } from '../../../support/store.ts';
import type { TestServer } from '../../../support/test-server.ts';

/** What the page calls the charts: what the catalogue says. */
export const PRICE = declared.fields.lastPrice.description;
export const YIELD = declared.fields.ytm.description;
export const VOLUME = declared.fields.volume.description;
export const DURATION = declared.fields.duration.description;
export const SPREAD = 'Spread over the government curve';
export const CHARTS = [PRICE, YIELD, SPREAD, VOLUME, DURATION];

export const BOND = 'Z10PIB211026';
export const BOND_QUERY = `view=security&symbol=${BOND}`;

/** Quotes, oldest first, as charts are drawn. */
export async function readHistory(
  service: Pick<TestServer, 'getJson'>,
  query = `symbol=${BOND}&from=2025-06-30`,
  headers = {},
): Promise<Quote[]> {
  const { data } = await service.getJson(`/2.0/bnb/quote?${query}&limit=10000`, headers);
  return data.toReversed();
}

export const GAPS = 'ZGAPS';
export const [CORRECTED_DAY, RETIRED_DAY] = ['2026-06-03', '2026-06-10'];

/**
 * Publishes a security that the sample has none like: days without orders and without a yield, a
 * day that was corrected twice, and one that was retired.
 */
export async function publishGaps(store: TestStore): Promise<void> {
  const days = Array.from(
    { length: 20 },
    (_, index) => `2026-06-${String(index + 1).padStart(2, '0')}`,
  );
  const history = days.map((date, index) =>
    quote({
      date,
      symbol: GAPS,
      isin: 'ZZ0000000009',
      lastPrice: [4, 5, 7].includes(index) ? 0 : 95 + index / 10,
      bidPrice: index === 4 ? 0 : 94.5 + index / 10,
      askPrice: 95.5 + index / 10,
      ytm: index === 12 ? 0 : 11 - index / 20,
      duration: index === 12 ? 0 : 0.4,
    }),
  );
  const quoteOf = (date: string, rest: Partial<Quote> = {}) => ({
    ...(history.find((each) => each.date === date) as Quote),
    ...rest,
  });
  const publish = (day: string, options: Parameters<typeof publishAt>[3]) =>
    publishAt(store, `2026-08-0${day}T10:00:00Z`, declared, options);
  await publish('1', { records: history });
  await publish('2', { records: [quoteOf(CORRECTED_DAY, { lastPrice: 96, askVolume: 1 })] });
  await publish('3', { records: [quoteOf(CORRECTED_DAY, { lastPrice: 95.25, askVolume: 1 })] });
  await publish('4', { retiredKeys: [getKey(declared, quoteOf(RETIRED_DAY))] });
}

/** The chart of that name: a slider. */
export function findChart(page: Page, name: string): Locator {
  return page.getByRole('slider', { name });
}

/** Moves the mouse over a chart, to so much of its width. */
export async function hover(page: Page, name: string, part: number): Promise<void> {
  const chart = findChart(page, name);
  await chart.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await chart.boundingBox()) ?? throwMissing(name);
  await page.mouse.move(x + width * part, y + height / 2);
}

/** The days that the charts read off, one of each. */
export async function readTooltipDays(page: Page): Promise<string[]> {
  return page.locator('.history .tooltip strong').allInnerTexts();
}

/** What a path of a chart draws: its commands with their places. */
export async function readPath(page: Page, name: string, kind: string): Promise<string> {
  const drawn = page.locator(`.history [data-name="${name}"] path.${kind}`);
  return (await drawn.getAttribute('d')) ?? throwMissing(`${kind} of ${name}`);
}

/** The rows of a table, by the titles of their columns. */
export async function readRows(table: Locator): Promise<Record<string, string>[]> {
  const titles = await table.locator('thead th').allInnerTexts();
  const rows = await table
    .locator('tbody tr')
    .evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').trim())),
    );
  const names = titles.map((title) =>
    title
      .replace(/\s*[▲▼]/, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return rows.map((cells) =>
    Object.fromEntries(cells.map((cell, index) => [names[index] ?? '', cell])),
  );
}

function throwMissing(what: string): never {
  throw new Error(`there is no ${what}`);
}
