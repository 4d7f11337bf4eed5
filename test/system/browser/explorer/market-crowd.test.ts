import { beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Quote } from '../../../../src/catalogue/datasets/quotes.ts';
import { describeInBrowser } from '../../../support/browser.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';

const COUNT = 10_000;

describeInBrowser('the market view with ten thousand quotes on a day', () => {
  const service = useSampleServer();
  let latest: readonly Quote[];
  beforeAll(async () => {
    latest = (await service.getJson('/2.0/bnb/quote?limit=10000')).data;
  });

  /** Opens the ledger, from where the market view has as many quotes on each day. */
  async function openLedger(): Promise<Page> {
    const page = await openExplorer(service, 'view=ledger');
    await page.route(/\/2\.0\/bnb\/quote/, async (route) => {
      const { 'tenor-revision': revision = '', 'tenor-published-at': publishedAt = '' } = (
        await route.fetch()
      ).headers();
      const date = new URL(route.request().url()).searchParams.get('date') ?? '2026-06-30';
      const headers = { 'tenor-revision': revision, 'tenor-published-at': publishedAt };
      await route.fulfill({ headers, json: { status: 'ok', data: createQuotes(latest, date) } });
    });
    await waitUntilLoaded(page);
    return page;
  }

  async function openMarket(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Market' }).click();
    await page.getByRole('heading', { name: '10,000 quotes' }).waitFor();
    await waitUntilLoaded(page);
  }

  test('renders a few of them, whichever are in view, and a thousand for print', async () => {
    const page = await openLedger();
    await openMarket(page);
    const rows = page.locator('.quotes-of-day tbody tr:has(th)');
    const lastRow = rows.filter({ hasText: 'S19999' });
    expect(await rows.first().innerText()).toStartWith('S10000');
    expect(await rows.count()).toBeLessThan(100);
    expect(await page.locator('.curve svg *').count()).toBeLessThan(200);
    expect(await page.locator('.curve .line-outline').count()).toBeGreaterThan(0);
    await page.getByRole('region', { name: /^Quotes of/ }).evaluate((area) => {
      area.scrollTop = area.scrollHeight;
    });
    await lastRow.waitFor();
    expect(await rows.count()).toBeLessThan(100);
    const printed = await page.evaluate(`{
      dispatchEvent(new Event('beforeprint'));
      document.querySelectorAll('.quotes-of-day tbody tr:has(th)').length;
    }`);
    expect(printed).toBe(1000);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await lastRow.waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('draws the shapes of the legend, and more quotes in one place by a stronger mark', async () => {
    const page = await openLedger();
    await openMarket(page);
    const shapes = await page
      .locator('.legend .swatch-point')
      .evaluateAll((all) => all.map((shape) => shape.getAttribute('d') ?? ''));
    expect(shapes.length).toBeGreaterThanOrEqual(3);
    const clouds = await page
      .locator('.point-cloud')
      .evaluateAll((all) =>
        all.map((cloud) => [cloud.getAttribute('class') ?? '', cloud.getAttribute('d') ?? '']),
      );
    for (const [name = '', path = ''] of clouds) {
      const index = Number(/color-(\d)/.exec(name)?.[1]);
      expect(path.split(shapes[index - 1] ?? '').length).toBeGreaterThan(1);
    }
    const densities = clouds.map(([name = '']) => Number(/density-(\d)/.exec(name)?.[1]));
    expect(new Set(densities).size).toBe(4);
    // Those of the compared day are below; then the densest are on top, whatever their type.
    const ranks = clouds.map(([name = ''], index) => {
      return (densities[index] ?? 0) - (name.includes('comparison') ? 10 : 0);
    });
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    await page.unrouteAll({ behavior: 'wait' });
  });
});

/** Quotes around those of the sample, the same on each day but for their yields. */
function createQuotes(latest: readonly Quote[], date: string): Quote[] {
  return Array.from({ length: COUNT }, (_, index) => {
    const own = latest[index % latest.length] as Quote;
    const part = (index * 0.618_034) % 1;
    return {
      ...own,
      date,
      symbol: `S${COUNT + index}`,
      ytm: own.ytm + part - 0.5 + (date === '2026-06-30' ? 0 : 0.3 * part),
      maturityYears: (index + 1) / 500,
    };
  });
}
