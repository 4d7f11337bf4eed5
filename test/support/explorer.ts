import { expect } from 'bun:test';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { createSamplePublications } from '../../src/sample/sample-publications.ts';
import type { Store } from '../../src/store/open-store.ts';
import { type OpenedPage, openPage } from './browser.ts';
import { createDatabaseFile, openDatabaseFile } from './store.ts';
import { startTestServer, type TestServer, TOKEN } from './test-server.ts';

/** A server over the sample data. */
export async function startSampleServer(): Promise<TestServer> {
  sampleDatabase ??= createDatabaseFile(publishSample);
  return startTestServer(await openDatabaseFile(await sampleDatabase));
}

let sampleDatabase: Promise<Uint8Array> | undefined;

async function publishSample(store: Store): Promise<void> {
  const publisher = store.publisher();
  await publisher.transaction(async (transaction) => {
    for (const publication of createSamplePublications())
      await publishRecords(transaction, publication);
  });
  publisher.close();
}

/** Opens a view of the explorer, signed in: `at` is what stands in its address behind `?`. */
export async function openExplorer(
  { address }: Pick<TestServer, 'address'>,
  at = '',
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const visited = await openPage(`${address}/?${at}#token=${TOKEN}`, options);
  await visited.page.locator('main#view').waitFor();
  return visited;
}

/**
 * Holds a visit to what holds for every one: nothing went wrong, and nobody else was asked. Browsers
 * tell of every request that fails: those that a test means to fail are `meant`.
 */
export function expectNoErrors(
  { consoleErrors, pageErrors, foreignRequests }: OpenedPage,
  meant?: RegExp,
): void {
  expect(pageErrors).toEqual([]);
  expect(consoleErrors.filter((error) => !meant?.test(error))).toEqual([]);
  expect(foreignRequests).toEqual([]);
}

/** Holds the page to the width of its screen: nothing makes it scroll sideways. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const [wide, screen] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, innerWidth]',
  );
  expect(wide).toBe(screen);
}

/** Waits until nothing on the page is loading. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { document } = globalThis as unknown as {
      document: { querySelector(q: string): unknown };
    };
    return !document.querySelector('.loading, [aria-busy="true"]');
  });
}

/** The points of a line that is drawn, in pixels: `M1,2L3,4` as pairs. */
export async function readLinePoints(
  page: Page,
  name: string,
  within = 'body',
): Promise<[number, number][]> {
  const path = page.locator(`${within} [data-name="${name}"] path.line`).first();
  const text = (await path.getAttribute('d')) ?? '';
  return [...text.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/**
 * Holds heights in pixels to the figures that they stand for: all on one straight scale, within
 * half a pixel.
 */
export function expectLinearScale(heights: readonly number[], values: readonly number[]): void {
  expect(heights.length).toBe(values.length);
  const [low, high] = [values.indexOf(Math.min(...values)), values.indexOf(Math.max(...values))];
  const [from = 0, to = 0] = [values[low], values[high]];
  const [bottom = 0, top = 0] = [heights[low], heights[high]];
  expect(bottom).toBeGreaterThan(top);
  const expected = values.map((value) => bottom + ((value - from) / (to - from)) * (top - bottom));
  const off = heights.map((height, index) => Math.abs(height - (expected[index] ?? 0)));
  expect(Math.max(...off)).toBeLessThan(0.5);
}

/** Holds what a page shows to what everybody must be able to use. */
export async function expectAccessible(page: Page, rules = ALL_RULES): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(
    `axe.run(${JSON.stringify(CHECKED_ELEMENTS)}, { runOnly: ${rules} })`,
  );
  const { violations } = found as axe.AxeResults;
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
  expect(told).toEqual([]);
}

const ALL_RULES = JSON.stringify([
  'wcag2a',
  'wcag2aa',
  'wcag21a',
  'wcag21aa',
  'wcag22aa',
  'best-practice',
]);

/** What can be otherwise in other colours: the rest holds whatever they are. */
export const CONTRAST_RULES = JSON.stringify(['color-contrast', 'link-in-text-block']);

/** The rows of a table are alike, and there are hundreds. */
const CHECKED_ELEMENTS = { include: [['html']], exclude: [['tbody tr:nth-child(n + 8)']] };
