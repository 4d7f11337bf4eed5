import { expect } from 'bun:test';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createSamplePublications } from '../../scripts/sample/sample-publications.ts';
import { getCurveReader } from '../../src/analytics/curve-reader.ts';
import { getQuoteSource } from '../../src/analytics/quote-source.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { MARKETS } from '../../src/operations/curve/curve-operation.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import {
  ensurePrivateFolder,
  getCacheFile,
  getPrivateFolder,
} from '../../src/shared/database-folders.ts';
import type { Store } from '../../src/store/open-store.ts';
import { getSignersFile } from '../../src/store/sqlite/signers-file.ts';
import { isWaitingForResponse, openPage } from './browser.ts';
import { retryUntil } from './eventually.ts';
import {
  checkpoint,
  createDatabaseFile,
  openDatabaseFile,
  type SqliteTestStore,
  type TestStore,
} from './store.ts';
import { type TestServer, TOKEN } from './test-server.ts';
import { useTestServer } from './use-test-server.ts';

/** A server over the sample data for all tests of a `describe`. */
export function useSampleServer(fill?: (store: TestStore) => Promise<void>): TestServer {
  return useTestServer(async () => {
    const store = await createSampleStore();
    if (fill) {
      await fill(store);
      await fitCurves(store);
    }
    return store;
  });
}

/** A store with the sample data, and the curves that are fitted to it. */
export async function createSampleStore(): Promise<SqliteTestStore> {
  const { database, fits, keys } = await getSample();
  const store = await openDatabaseFile(database);
  ensurePrivateFolder(dirname(getFitFile(store)));
  writeFileSync(getFitFile(store), fits);
  writeFileSync(getSignersFile(store.path), keys);
  return store;
}

/** A database file with the sample data at a path. */
export async function createSampleDatabase(path: string): Promise<void> {
  const { database, keys } = await getSample();
  writeFileSync(path, database);
  ensurePrivateFolder(getPrivateFolder(path));
  writeFileSync(getSignersFile(path), keys);
}

interface Sample {
  readonly database: Uint8Array;
  readonly fits: Uint8Array;
  /** The private keys of its log. */
  readonly keys: Uint8Array;
}

let sample: Promise<Sample> | undefined;

function getSample(): Promise<Sample> {
  sample ??= readOrCreateSample();
  // The next test tries again.
  sample.catch(() => {
    sample = undefined;
  });
  return sample;
}

/** The sample takes seconds to make, so the first process of a run that needs it keeps a copy. */
async function readOrCreateSample(): Promise<Sample> {
  const folder = process.env.TENOR_TEST_RUN_FOLDER;
  if (!folder) return createSample();
  const path = join(folder, 'sample.db');
  try {
    mkdirSync(`${path}-begun`);
  } catch {
    // Another process makes it. The fits come last.
    return retryUntil(SAMPLE_TIMEOUT_MS, async () => ({
      fits: readFileSync(`${path}.fits`),
      database: readFileSync(path),
      keys: readFileSync(`${path}.keys`),
    }));
  }
  const created = await createSample().catch((error) => {
    rmSync(`${path}-begun`, { recursive: true });
    throw error;
  });
  writeFileSync(path, created.database);
  writeFileSync(`${path}.keys`, created.keys);
  writeFileSync(`${path}-begun/fits`, created.fits);
  renameSync(`${path}-begun/fits`, `${path}.fits`);
  return created;
}

const SAMPLE_TIMEOUT_MS = 200_000;

async function createSample(): Promise<Sample> {
  const database = await createDatabaseFile(publishSample);
  const store = await openDatabaseFile(database);
  await fitCurves(store);
  const fits = readFileSync(getFitFile(store));
  const keys = readFileSync(getSignersFile(store.path));
  await store.remove();
  return { database, fits, keys };
}

/** Fits the curves of all days: the background thread would, but only when a core is free. */
async function fitCurves(store: SqliteTestStore): Promise<void> {
  const reader = store.reader();
  const source = getQuoteSource(reader);
  const curves = getCurveReader(reader);
  const revision = await reader.revision();
  for (const market of MARKETS)
    for (const date of await source.findDates(quotes, market, {}, revision)) {
      // The time for the fits of one signal is limited.
      const { signal } = new AbortController();
      await curves.fitCurve(quotes, date, { market, revision, signal });
    }
  reader.close();
  checkpoint(getFitFile(store));
}

const getFitFile = ({ path }: SqliteTestStore) => getCacheFile(path, 'fits');

async function publishSample(store: Store): Promise<void> {
  const publisher = store.publisher();
  await publisher.transaction(async (transaction) => {
    for (const publication of createSamplePublications())
      await publishRecords(transaction, publication);
  });
  publisher.close();
}

/** Opens the explorer signed in, with `query` as its query string. */
export async function openExplorer(
  { address }: Pick<TestServer, 'address'>,
  query = '',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openPage(`${address}/?${query}#token=${TOKEN}`, options);
  await page.locator('main#view').waitFor();
  return page;
}

/** Asserts that a link and a reload show a view with the same title and selections. */
export async function expectRestored(
  service: Pick<TestServer, 'address'>,
  query: string,
  view: string,
  title = view,
): Promise<void> {
  const page = await openExplorer(service, query);
  await waitUntilLoaded(page);
  const before = await readSelections(page);
  expect(await page.title()).toBe(`${title} · Tenor`);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  expect(new URL(page.url()).search).toBe(`?${query}`);
  const current = page.getByRole('navigation').locator('[aria-current=page]');
  expect(await current.innerText()).toBe(view);
  await page.reload();
  await page.locator('main#view').waitFor();
  await waitUntilLoaded(page);
  expect(await readSelections(page)).toEqual(before);
  await page.getByText('Everything here is made up').waitFor();
}

/** Selections of the visitor as the page shows them: its title, its heading, and its controls. */
export function readSelections(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[
    document.title,
    document.querySelector('h1').innerText,
    ...Array.from(document.querySelectorAll('main select, main input'), ({ value }) => value),
    ...Array.from(document.querySelectorAll('[aria-pressed=true]'), ({ innerText }) => innerText),
  ]`);
}

/** Asserts that the page is no wider than the screen. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const [pageWidth, screenWidth] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, innerWidth]',
  );
  expect(pageWidth).toBe(screenWidth);
}

/** Waits until nothing on the page is loading, shown or not, and what arrived last is rendered. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await retryUntil(60_000, async () => {
    await expectNothingLoading(page);
    // Twice: what has arrived may lead to another request, or is not rendered yet.
    await page.waitForTimeout(50);
    await expectNothingLoading(page);
  });
}

async function expectNothingLoading(page: Page): Promise<void> {
  expect(isWaitingForResponse(page)).toBe(false);
  expect(await page.locator('.loading, [aria-busy="true"]').count()).toBe(0);
}

/** The points of a chart line in pixels: `M1,2L3,4` as pairs. */
export async function readLinePoints(
  page: Page,
  name: string,
  container = 'body',
): Promise<[number, number][]> {
  const path = page.locator(`${container} [data-name="${name}"] path.line`).first();
  const text = (await path.getAttribute('d')) ?? '';
  return [...text.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/** Asserts that heights in pixels are on one linear scale with their values, to half a pixel. */
export function expectLinearScale(heights: readonly number[], values: readonly number[]): void {
  expect(heights.length).toBe(values.length);
  const low = values.indexOf(Math.min(...values));
  const high = values.indexOf(Math.max(...values));
  const [min = 0, max = 0] = [values[low], values[high]];
  const [bottom = 0, top = 0] = [heights[low], heights[high]];
  expect(bottom).toBeGreaterThan(top);
  const expected = values.map((value) => bottom + ((value - min) / (max - min)) * (top - bottom));
  const deviations = heights.map((height, index) => Math.abs(height - (expected[index] ?? 0)));
  expect(Math.max(...deviations)).toBeLessThan(0.5);
}

/** Asserts that a page fits every screen, and is accessible on small and wide ones. */
export async function expectUsable(page: Page): Promise<void> {
  for (const [width, colorScheme] of SCREENS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await waitUntilLoaded(page);
    await expectNoSidewaysScrolling(page);
    if (width !== 768) await expectAccessible(page);
  }
}

const SCREENS = [
  [360, 'light'],
  [768, 'light'],
  [1600, 'dark'],
] as const;

/** Asserts that axe finds no barrier on a page. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe.source);
  const results = await page.evaluate<axe.AxeResults>(RUN_AXE_WITHOUT_REPETITIONS);
  const barriers = results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`,
  );
  expect(barriers).toEqual([]);
}

const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Rows of a table and points of a chart are alike, and there are hundreds: axe takes seconds over
 * them, even where they are excluded.
 */
const RUN_AXE_WITHOUT_REPETITIONS = `(async () => {
  const removed = [...document.querySelectorAll('tbody tr:nth-child(n + 8), svg circle:nth-child(n + 8)')]
    .map((element) => ({ element, parent: element.parentNode, next: element.nextSibling }));
  for (const { element } of removed) element.remove();
  const results = await axe.run(document, {
    runOnly: ${JSON.stringify(AXE_RULES)},
    resultTypes: ['violations'],
  });
  for (const { element, parent, next } of removed.reverse()) parent.insertBefore(element, next);
  return results;
})()`;
