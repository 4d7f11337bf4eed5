import { expect, test } from 'bun:test';
import { describeInBrowser } from '../../../support/browser.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';
import { alterResponse } from './page-helpers.ts';

const PHONE = { width: 390, height: 844 };

describeInBrowser('the look of charts and tables', () => {
  const service = useSampleServer();

  test('draws types as different shapes, and a tooltip beside its point or below a narrow chart', async () => {
    const page = await openExplorer(service, 'view=market&against=none');
    await waitUntilLoaded(page);
    const points = page.locator('.curve .drawing .point');
    const shapes = await points.evaluateAll((all) =>
      all.map((point) => `${point.getAttribute('class')} ${point.getAttribute('d')}`),
    );
    const kinds = [...new Set(shapes)];
    expect(kinds).toHaveLength(3);
    expect(new Set(kinds.map((kind) => kind.replace(/^.* M/, 'M'))).size).toBe(3);

    const plot = page.locator('.curve .plot');
    const measure = async () => {
      const [point, tooltip, chart] = await Promise.all(
        [page.locator('.highlighted-point'), page.locator('.tooltip'), plot].map((part) =>
          part.boundingBox(),
        ),
      );
      if (!point || !tooltip || !chart) throw new Error('there is no tooltip');
      return { point, tooltip, chart };
    };
    await points.first().hover({ force: true });
    await page.locator('.tooltip').waitFor();
    const wide = await measure();
    const middle = wide.point.y + wide.point.height / 2;
    expect(wide.tooltip.y).toBeLessThanOrEqual(middle);
    expect(wide.tooltip.y + wide.tooltip.height).toBeGreaterThanOrEqual(middle);
    expect(wide.tooltip.x - wide.point.x).toBeLessThan(40);

    await page.setViewportSize({ width: 360, height: 780 });
    await plot.focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.tooltip.below').waitFor();
    const narrow = await measure();
    expect(narrow.tooltip.y).toBeGreaterThanOrEqual(narrow.chart.y + narrow.chart.height);
  });

  test('puts the titles of columns on one line, and above the texts of their cells', async () => {
    const page = await openExplorer(service, 'view=funds');
    await waitUntilLoaded(page);
    const readPlace = (cell: string) =>
      page.locator(cell).evaluateAll((cells) =>
        cells.map((each) => {
          const range = each.ownerDocument.createRange();
          range.selectNodeContents(each.querySelector('button, a') ?? each);
          const { left, bottom } = range.getBoundingClientRect();
          return { left: Math.round(left), bottom: Math.round(bottom) };
        }),
      );
    const heads = await readPlace('thead th.text');
    const cells = await readPlace('tbody tr:first-child > .text');
    expect(new Set(heads.map(({ bottom }) => bottom)).size).toBe(1);
    expect(heads.map(({ left }) => left)).toEqual(cells.map(({ left }) => left));
  });

  test('leaves out columns that do not fit, and fades the edge of a table that goes on', async () => {
    const page = await openExplorer(service, 'view=market');
    const quotes = page.locator('.quotes-of-day');
    const readOverflow = () =>
      page
        .locator('.table-scroll')
        .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth));
    const counts: string[] = [];
    for (const width of [768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await waitUntilLoaded(page);
      await quotes.getByText(/^\d+ of 13 columns/).waitFor();
      // The key tenors are whole, too.
      if (width === 1280) expect((await readOverflow()).filter((pixels) => pixels > 0)).toEqual([]);
      expect(await quotes.locator('.has-more').count()).toBe(0);
      counts.push(await quotes.locator('.column-choice').innerText());
    }
    expect(Number.parseInt(counts[0] ?? '', 10)).toBeLessThan(Number.parseInt(counts[1] ?? '', 10));
    await quotes.getByRole('button', { name: 'Columns' }).click();
    for (const box of await quotes.locator('.dropdown input').all()) await box.check();
    await quotes.locator('.has-more').waitFor();
    await quotes.locator('.table-scroll').evaluate((each) => each.scrollBy(10_000, 0));
    await quotes.locator('.table-scroll:not(.has-more)').waitFor();
    await quotes.locator('.has-more-below').waitFor();
    await quotes.locator('.table-scroll').evaluate((area) => {
      area.scrollTop = area.scrollHeight;
    });
    await quotes.locator('.table-scroll:not(.has-more-below)').waitFor();
    await quotes.getByRole('button', { name: 'Those that fit' }).click();
    expect(await quotes.locator('.column-choice').innerText()).toContain(counts[1] ?? '');
  });

  for (const query of [
    ...['security&symbol=Z10PIB211026', 'security&symbol=Z10PIB211026&with=Z15PIB120838'],
    'funds&fund=5a3b0f1e-0000-4000-8000-000000000001',
    ...['settlement-transactions-value', 'branchless-banking-agents', 'net-asset-values'].map(
      (series) => `payments&series=${series}`,
    ),
    'payments&compare=atm-transactions-annual-volume,settlement-transactions-value',
  ])
    test(`has the first chart whole on the first screen of a phone: ${query}`, async () => {
      const page = await openExplorer(service, `view=${query}`, { viewport: PHONE });
      await waitUntilLoaded(page);
      const chart = await page.locator('main .plot').first().boundingBox();
      expect((chart?.y ?? 0) + (chart?.height ?? Infinity)).toBeLessThanOrEqual(844);
    });

  test('breaks instants of the ledger on a phone between the day and the time only', async () => {
    const page = await openExplorer(service, 'view=payments', { viewport: PHONE });
    const publishedAt = '2026-11-18T11:23:48Z';
    await alterResponse(page, '/revisions', (revisions: object[]) =>
      revisions.map((revision) => ({ ...revision, publishedAt })),
    );
    await page.goto(`${service.address}/?view=ledger`);
    await page.getByText('18 Nov 2026, 11:23:48 UTC').first().waitFor();
    const lines = await page
      .locator('.ledger tbody time')
      .evaluateAll((all) => all.map((time) => time.getClientRects().length));
    expect(Math.max(...lines)).toBe(2);
  });

  test('prints neither controls nor values in two lines', async () => {
    for (const query of ['view=security', 'view=ledger', 'view=payments&series=net-asset-values']) {
      const page = await openExplorer(service, query);
      await page.setViewportSize({ width: 703, height: 1017 });
      await waitUntilLoaded(page);
      await page.emulateMedia({ media: 'print' });
      const controls = page.locator('.view-header').locator('> select, button');
      expect(await controls.evaluateAll((all) => all.filter((e) => e.checkVisibility()))).toEqual(
        [],
      );
      const values = page.locator('td time, td:not(.text), tbody time');
      const lines = await values.evaluateAll((all) => all.map((e) => e.getClientRects().length));
      expect(Math.max(...lines)).toBe(1);
    }
  });

  for (const query of ['market', 'security', 'funds', 'payments', 'ledger'])
    test(`has controls for fingers in the view ${query}: 24 pixels at least`, async () => {
      const page = await openExplorer(service, `view=${query}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await waitUntilLoaded(page);
      // Links within sentences are as high as their lines.
      const controls = page.locator('button, input, select, summary, a:not(p a, li a)');
      const small = await controls.evaluateAll((all) =>
        all.flatMap((each) => {
          const { width, height } = (each.closest('label') ?? each).getBoundingClientRect();
          const isLarge = Math.round(width) >= 24 && Math.round(height) >= 24;
          return isLarge || width === 0 ? [] : `${each.outerHTML} ${width} ${height}`;
        }),
      );
      expect(small).toEqual([]);
    });
});
