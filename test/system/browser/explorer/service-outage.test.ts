import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { quotes } from '../../../../src/catalogue/datasets/quotes.ts';
import { allowErrors, describeInBrowser, openPage } from '../../../support/browser.ts';
import { expectAccessible, openExplorer, waitUntilLoaded } from '../../../support/explorer.ts';
import { quote } from '../../../support/quote-fixture.ts';
import {
  createRestartableServer,
  type RestartableServer,
} from '../../../support/restartable-server.ts';
import { createFilledStore, type SqliteTestStore } from '../../../support/store.ts';
import { TOKEN } from '../../../support/test-server.ts';

/** What a browser tells of requests that nobody answers, and of those that are told to wait. */
const GONE = /Failed to load resource: net::ERR_/;
const TOO_MANY = /429/;

const NO_ANSWER = 'The service does not respond.';

describeInBrowser('the explorer while the service is unavailable', () => {
  let store: SqliteTestStore;
  let service: RestartableServer;
  beforeAll(async () => {
    store = await createFilledStore();
    service = createRestartableServer(store);
  });
  beforeEach(() => service.start());
  afterEach(() => service.stop());
  afterAll(() => store.remove());

  test('keeps showing its data, says so, and updates by itself when the service is back', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await page.getByRole('rowheader').first().waitFor();
    const rows = await page.getByRole('rowheader').allInnerTexts();
    await service.stop();
    await comeBack(page);
    await page.getByRole('alert').getByText(NO_ANSWER).waitFor();
    expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(rows);
    await expectAccessible(page);
    await service.start();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(rows);
    allowErrors(page, GONE);
  });

  test('shows no old data for a new request, and the response once it arrives', async () => {
    const page = await openExplorer(service, 'view=ledger');
    const rows = page.getByRole('rowheader');
    await rows.nth(1).waitFor();
    await service.stop();
    await rows.first().getByRole('link').click();
    await page.locator('main').getByText('The service does not respond').waitFor();
    expect(await rows.count()).toBe(0);
    await service.start();
    await page.getByRole('heading', { name: 'Summary' }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    allowErrors(page, GONE);
  });

  test('waits for a service that is unavailable at the first request', async () => {
    const page = await openPage(`${service.address}/?view=ledger`);
    await page.getByLabel('Token').waitFor();
    await service.stop();
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Try again in a moment.').waitFor();
    // A link takes the visitor in without asking first.
    await page.goto(`${service.address}/?view=ledger#token=${TOKEN}`);
    await page.getByRole('alert').getByText('The service does not respond').waitFor();
    await expectAccessible(page);
    await service.start();
    await page.getByRole('rowheader').first().waitFor();
    allowErrors(page, GONE);
  });

  test('waits for an as-of instant that is chosen while the service is unavailable', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await page.getByRole('rowheader').first().waitFor();
    await service.stop();
    await page.getByRole('button', { name: 'As of now' }).click();
    await page.getByRole('button', { name: /^12 / }).click();
    await page.locator('main').getByText('The service does not respond').waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(0);
    await service.start();
    await page.getByText('Revisions 11 to 1').waitFor();
    allowErrors(page, GONE);
  });

  test('shows new data within seconds of its publication, and keeps the scroll position', async () => {
    const page = await openExplorer(service, 'view=ledger&dataset=quotes');
    await page.getByRole('rowheader').first().waitFor();
    const before = await page.getByRole('rowheader').count();
    await page.getByLabel('Dataset').focus();
    const place = '[location.href, history.length]';
    const was = await page.evaluate<unknown[]>(place);
    await store.publish(quotes, [quote({ symbol: 'FRESH' })]);
    await page.getByRole('rowheader').nth(before).waitFor();
    expect(await page.evaluate<unknown[]>(place)).toEqual(was);
    expect(await isFocused(page, 'Dataset')).toBe(true);
  });

  test('keeps showing an as-of instant whatever is published', async () => {
    const asof = new Date().toISOString();
    const page = await openExplorer(service, `view=ledger&asof=${asof}`);
    await page.getByRole('rowheader').first().waitFor();
    const rows = await page.getByRole('rowheader').allInnerTexts();
    await store.publish(quotes, [quote({ symbol: 'FRESHER' })]);
    // It has read again: what it would show by then is there.
    await Promise.all([page.waitForResponse(/\/revisions/), comeBack(page)]);
    await waitUntilLoaded(page);
    expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(rows);
  });

  test('waits when the rate limit is exceeded, and continues by itself', async () => {
    const page = await openPage(service.address);
    let isTooMuch = true;
    await page.route('**/revisions?*', (route) => {
      if (!isTooMuch) return route.continue();
      const json = { status: 'error', message: 'too_many_requests' };
      return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json });
    });
    await page.goto(`${service.address}/?view=ledger#token=${TOKEN}`);
    await page.getByRole('alert').getByText('Rate limit reached for this token.').waitFor();
    isTooMuch = false;
    await page.getByRole('rowheader').first().waitFor();
    isTooMuch = true;
    await store.publish(quotes, [quote({ symbol: 'LIMITED' })]);
    await comeBack(page);
    await page.getByRole('alert').getByText('Rate limit reached for this token.').waitFor();
    expect(await page.getByRole('rowheader').count()).toBeGreaterThan(0);
    isTooMuch = false;
    await page.getByRole('alert').waitFor({ state: 'detached' });
    allowErrors(page, TOO_MANY);
  });

  test('shows the message of a 500 response, and continues when the service recovers', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await page.getByRole('rowheader').first().waitFor();
    const json = { status: 'error', message: 'internal_error' };
    for (const path of ['ledger/checkpoint', 'catalogue']) {
      await page.route(`**/${path}`, (route) => route.fulfill({ status: 500, json }));
      await store.publish(quotes, [quote({ symbol: path })]);
      await comeBack(page);
      await page.getByRole('alert').getByText('The service says: internal_error.').waitFor();
      await page.unroute(`**/${path}`);
      await comeBack(page);
      await page.getByRole('alert').waitFor({ state: 'detached' });
    }
    allowErrors(page, /500/);
  });
});

/** Does what a browser does when its visitor comes back to the tab: the page then looks at once. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
}

function isFocused(page: Page, label: string): Promise<boolean> {
  return page.getByLabel(label).evaluate((element) => element.matches(':focus'));
}
