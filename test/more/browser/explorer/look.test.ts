import { expect, test } from 'bun:test';
import { describeInBrowser } from '../../../support/browser.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';

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
    await page.locator('.mix-bar').first().waitFor();
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
});
