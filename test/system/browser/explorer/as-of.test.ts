import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, tabTo } from '../../../support/browser.ts';
import {
  expectAccessible,
  expectNoSidewaysScrolling,
  openExplorer,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';

const VIEWS = ['market', 'security', 'portfolio', 'funds', 'payments', 'ledger'];

describeInBrowser('the as-of control', () => {
  const service = useSampleServer();

  test('shows every view as of an instant that is typed', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await button(page, 'As of now').click();
    await page.getByLabel('Show data as of (UTC)').fill('2026-07-02T10:00:30');
    const asked = requestsOf(page);
    await button(page, 'Apply').click();
    await page.getByText('data as of 2 Jul 2026, 10:00:30 UTC').waitFor();
    expect(new URL(page.url()).search).toBe('?view=ledger&asof=2026-07-02T10%3A00%3A30Z');
    await page.getByText('Revisions 16 to 1').waitFor();
    expect(await isFocused(page, 'As of 2 Jul 2026, 10:00:30 UTC')).toBe(true);
    for (const view of VIEWS) {
      await page.getByRole('navigation').locator(`a[href*="view=${view}"]`).click();
      await page.waitForURL(new RegExp(`view=${view}&.*asof=2026-07-02`));
      await waitUntilLoaded(page);
    }
    expect(asked.length).toBeGreaterThan(VIEWS.length);
    expect(new Set(asked)).toEqual(new Set(['2026-07-02T10:00:30Z']));
  });

  test('offers the instants right before publications, and leads back to the current data', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await button(page, 'As of now').click();
    await page.getByRole('button', { name: /^21 Settlement-system/ }).click();
    await page.waitForURL(/asof=2026-07-14T06%3A19%3A59\.999Z/);
    await page.getByText('Revisions 20 to 1').waitFor();
    await page.getByRole('region', { name: 'Notices' }).getByText('Back to current data').click();
    await page.getByText('Revisions 28 to 1').waitFor();
    expect(await page.getByText('Historical view:').count()).toBe(0);
    await page.goBack();
    await page.getByText('Revisions 20 to 1').waitFor();
    await page.goForward();
    await page.getByText('Revisions 28 to 1').waitFor();
    await page.goBack();
    await page.getByText('Revisions 20 to 1').waitFor();
    await page.reload();
    await page.getByText('Revisions 20 to 1').waitFor();
    await button(page, /^As of 14 Jul 2026/).waitFor();
  });

  test('shows a corrected price as of before its correction', async () => {
    const at = 'view=market&date=2026-06-17&q=Z10PIB211026';
    const prices = [];
    for (const asof of [undefined, '2026-07-02T00:00:00Z']) {
      const page = await openExplorer(service, asof ? `${at}&asof=${asof}` : at);
      await waitUntilLoaded(page);
      const headers = asof ? { 'accept-datetime': asof } : {};
      const target = '/2.0/bnb/quote?date=2026-06-17&symbol=Z10PIB211026';
      const [{ lastPrice }] = (await service.getJson(target, headers)).data;
      const row = page.locator('.quotes-of-day tr', { hasText: 'Z10PIB211026' });
      expect(await row.innerText()).toContain(lastPrice.toFixed(4));
      prices.push(lastPrice);
    }
    expect(prices[0]).not.toBe(prices[1]);
  });

  test('says in every view that there is no data before the first revision', async () => {
    const page = await openExplorer(service, 'view=market&asof=2020-01-01T00:00:00Z');
    for (const view of VIEWS) {
      await page.getByRole('navigation').locator(`a[href*="view=${view}"]`).click();
      await page.waitForURL(new RegExp(`view=${view}`));
      await waitUntilLoaded(page);
      await page.getByText('nothing had been published by 1 Jan 2020, 00:00 UTC').waitFor();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.locator('tbody tr').count()).toBe(0);
    }
    await button(page, /^As of 1 Jan 2020/).click();
    await page.getByText('Nothing had been published by then.').waitFor();
  });

  test('says of a future instant that it shows the current data', async () => {
    const page = await openExplorer(service, 'view=ledger&asof=2999-01-01T00:00:00Z');
    await page.getByText('1 Jan 2999, 00:00 UTC is in the future').waitFor();
    await page.getByText('Revisions 28 to 1').waitFor();
  });

  test('explains the format of an instant if the text is none', async () => {
    for (const text of ['yesterday', '2026-07-02', '2026-02-30T00:00:00Z', '☃']) {
      const page = await openExplorer(service, `view=ledger&asof=${encodeURIComponent(text)}`);
      await page.getByText(`as of “${text}”`).waitFor();
      await page.getByText('That must be an HTTP date such as').waitFor();
      await page.locator('main').getByRole('button', { name: 'Back to current data' }).click();
      await page.getByText('Revisions 28 to 1').waitFor();
      expect(new URL(page.url()).search).toBe('?view=ledger');
    }
  });

  test('accepts an instant in the format of HTTP', async () => {
    const text = 'Thu, 02 Jul 2026 00:00:00 GMT';
    const page = await openExplorer(service, `view=ledger&asof=${encodeURIComponent(text)}`);
    await page.getByText('Revisions 16 to 1').waitFor();
    await button(page, /^As of 2 Jul 2026/).click();
    const field = page.getByLabel('Show data as of (UTC)');
    expect(await field.inputValue()).toStartWith('2026-07-02T00:00');
  });

  test('closes on Escape, on a click elsewhere, and when the focus leaves it', async () => {
    const page = await openExplorer(service, 'view=ledger');
    const sheet = page.locator('.as-of .dropdown');
    await button(page, 'As of now').click();
    await sheet.waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await isFocused(page, 'As of now')).toBe(true);
    await page.keyboard.press('Enter');
    await sheet.waitFor();
    await page.getByRole('heading', { level: 1 }).click({ position: { x: 2, y: 2 } });
    await sheet.waitFor({ state: 'detached' });
    await button(page, 'As of now').click();
    await sheet.waitFor();
    await tabTo(page, button(page, 'Menu'));
    await sheet.waitFor({ state: 'detached' });
  });

  test('fits a phone when it is open, with current and with earlier data', async () => {
    for (const at of ['', '&asof=2026-07-02T00:00:00Z']) {
      const viewport = { width: 360, height: 740 };
      const page = await openExplorer(service, `view=ledger${at}`, { viewport });
      await button(page, /^As of/).click();
      await page.locator('.as-of .dropdown').waitFor();
      await waitUntilLoaded(page);
      await expectNoSidewaysScrolling(page);
      await expectAccessible(page);
    }
  });
});

function button(page: Page, name: string | RegExp) {
  return page.getByRole('button', { name, exact: true });
}

function isFocused(page: Page, name: string): Promise<boolean> {
  return button(page, name).evaluate((element) => element.matches(':focus'));
}

/** The instants that data is asked of from here on; undefined for the present. */
function requestsOf(page: Page): (string | undefined)[] {
  const asked: (string | undefined)[] = [];
  page.on('request', (request) => {
    const headers = request.headers();
    if (headers.authorization) asked.push(headers['accept-datetime']);
  });
  return asked;
}
