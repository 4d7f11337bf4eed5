import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.ts';
import {
  expectUsable,
  openExplorer,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';
import { alterResponse } from './page-helpers.ts';

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 } };

describeInBrowser('the layout of the market view', () => {
  const service = useSampleServer();

  test('has at most 15 controls above the fold, and the chart is one of them', async () => {
    const page = await openExplorer(service, 'view=market', DESKTOP);
    await waitUntilLoaded(page);
    const controls = await page.evaluate<string[]>(VISIBLE_CONTROLS);
    expect(controls.length, controls.join('; ')).toBeLessThanOrEqual(15);
    expect(await getBottom(page, '.curve .plot')).toBeLessThan(900);
  });

  test('lets the keyboard leave its bar in at most 12 tabs', async () => {
    const page = await openExplorer(service, 'view=market&date=2026-06-17', DESKTOP);
    await waitUntilLoaded(page);
    await page.locator('main#view').focus();
    let tabs = 0;
    do {
      await page.keyboard.press('Tab');
      tabs++;
    } while (
      await page.evaluate("document.querySelector('.view-header').matches(':focus-within')")
    );
    expect(tabs).toBeGreaterThan(4);
    expect(tabs).toBeLessThanOrEqual(12);
  });

  test('has options that are accessible and fit every screen', async () => {
    const page = await openExplorer(service, 'view=market&find=nothing+has+this');
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('region', { name: 'Options' }).waitFor();
    await expectUsable(page);
  });

  test('has the whole curve on the first screen of a phone', async () => {
    const page = await openExplorer(service, 'view=market', PHONE);
    await waitUntilLoaded(page);
    expect(await getBottom(page, '.curve .plot')).toBeLessThanOrEqual(844);
  });

  test('shows the key tenors whole at a width of 1280', async () => {
    const viewport = { width: 1280, height: 800 };
    const page = await openExplorer(service, 'view=market', { viewport });
    await waitUntilLoaded(page);
    const hidden = await page.locator('.key-rates .table-scroll').evaluate((area) => {
      return [area.scrollWidth - area.clientWidth, area.scrollHeight - area.clientHeight];
    });
    expect(hidden).toEqual([0, 0]);
  });

  test.each([DESKTOP, PHONE])('hardly moves while it loads: %j', async (options) => {
    const page = await openExplorer(service, 'view=ledger', options);
    await waitUntilLoaded(page);
    // The days compared with come last, as from a slow service.
    await page.route(/date=2026-05/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    await page.evaluate(`location.search = '?view=market'`);
    await page.locator('.movers table').first().waitFor();
    await waitUntilLoaded(page);
    expect(await page.evaluate<number>(LAYOUT_SHIFT)).toBeLessThan(0.02);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('says that a day has no 10-year yield', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await alterResponse(page, '/2.0/bnb/curve', (curves) =>
      curves.map(({ points, ...curve }: { points: { years: number }[] }) => ({
        ...curve,
        points: points.map((point) => (point.years > 8 ? { ...point, yield: null } : point)),
      })),
    );
    await page.getByRole('link', { name: 'Market' }).click();
    await page.getByText('No 10-year yield of 30 Jun 2026').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });
});

/** The names of all that can be clicked or focused on the first screen, apart from rows of tables. */
const VISIBLE_CONTROLS = `
  [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
    .filter((element) => !element.closest('tbody') && element.checkVisibility())
    .filter((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    })
    .map((element) => element.getAttribute('aria-label') || element.textContent)
`;

/** The sum of all shifts since the page was opened, which no input caused. */
const LAYOUT_SHIFT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const shifts = list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput);
    resolve(shifts.reduce((sum, { value }) => sum + value, 0));
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(0), 300);
})`;

async function getBottom(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox();
  return (box?.y ?? Infinity) + (box?.height ?? 0);
}
