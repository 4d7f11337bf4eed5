import { expect, test } from 'bun:test';
import { describeInBrowser } from '../../../support/browser.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';

const MAX_SHIFT = 0.02;

/** The sum of all layout shifts since the page was opened. */
const READ_SHIFT = `new Promise((resolve) => {
  let sum = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  });
  observer.observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 200);
})`;

describeInBrowser('the layout of a view', () => {
  const service = useSampleServer();

  test.each([1440, 390])('does not move while data arrives, %i pixels wide', async (width) => {
    const [fund] = (await service.getJson('/3.0/funds')).data;
    const shifts: Record<string, number> = {};
    for (const query of [
      'view=funds',
      `view=funds&fund=${fund.fund_id}`,
      'view=payments',
      'view=payments&series=atm-transactions-quarterly-value',
      'view=payments&series=interbank-offered-rates',
      'view=ledger',
      'view=ledger&revision=25',
    ]) {
      const page = await openExplorer(service, query, { viewport: { width, height: 844 } });
      await waitUntilLoaded(page);
      const shift = await page.evaluate<number>(READ_SHIFT);
      if (shift >= MAX_SHIFT) shifts[query] = shift;
      await page.close();
    }
    expect(shifts).toEqual({});
  });
});
