import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { quotes } from '../../../../src/catalogue/datasets/quotes.ts';
import { describeInBrowser, getActivity, openBlankPage } from '../../../support/browser.ts';
import { retryUntil } from '../../../support/eventually.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';
import { quote } from '../../../support/quote-fixture.ts';
import { TOKEN } from '../../../support/test-server.ts';

describeInBrowser('requests of the explorer', () => {
  const service = useSampleServer();

  test('asks for the catalogue, the ledger, the quotes and both curves side by side', async () => {
    const page = await openExplorer(service);
    const requested: string[] = [];
    const all = Promise.withResolvers<void>();
    // No response arrives before everything is requested.
    await page.route(isData, async (route) => {
      requested.push(new URL(route.request().url()).pathname);
      if (requested.length === 5) all.resolve();
      await all.promise;
      await route.continue();
    });
    // What the token may read is known from before.
    await page.reload();
    await all.promise;
    expect(requested.toSorted()).toEqual([
      '/2.0/bnb/curve',
      '/2.0/bnb/curve',
      '/2.0/bnb/quote',
      '/catalogue',
      '/revisions',
    ]);
    await page.locator('path.line, .curve path').first().waitFor();
  });

  test('gets at most 90 KB of scripts for the first view, as sent', async () => {
    const page = await openExplorer(service);
    await waitUntilLoaded(page);
    const bytes = await page.evaluate<number>(`performance.getEntriesByType('resource')
      .filter(({ name }) => /\\.js/.test(name) && !name.includes('keep-verified'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
    expect(bytes).toBeGreaterThan(40_000);
    expect(bytes).toBeLessThanOrEqual(90_000);
  });

  test('asks for three parts of the log, after all data of the first view', async () => {
    const page = await openExplorer(service);
    await page.getByText(', verified').waitFor();
    const paths = getActivity(page).requests.map((url) => new URL(url).pathname);
    const { length: size } = (await service.getJson('/revisions')).data;
    expect(paths.slice(paths.indexOf('/explorer/keep-verified.js'))).toEqual([
      '/explorer/keep-verified.js',
      '/ledger/checkpoint',
      '/ledger/keys',
      `/ledger/tile/0/000.p/${size}`,
    ]);
  });

  test('asks for nothing while nothing is published, and one tab listens for all', async () => {
    const page = await openBlankPage(service.address);
    const streams: string[] = [];
    page.context().on('request', (request) => {
      if (request.url().endsWith('/events')) streams.push(request.url());
    });
    await page.clock.install();
    await page.addInitScript(RECORD_SIGNALS);
    await page.goto(`${service.address}/?view=ledger#token=${TOKEN}`);
    await page.getByRole('rowheader').first().waitFor();
    const { revision, publishedAt } = (await service.getJson('/revisions?limit=1')).data[0];
    await retryUntil(20_000, async () =>
      expect(await page.evaluate('signals')).toContain(`${revision} ${publishedAt}`),
    );
    await page.getByText(', verified').waitFor();
    // A page that becomes visible while it loads asks once more.
    await page.clock.runFor(1_000);
    const { requests } = getActivity(page);
    const before = requests.length;
    await page.clock.runFor(30_000);
    expect(requests.slice(before)).toEqual([]);
    const other = await openTab(page);
    const rows = await other.getByRole('rowheader').count();
    await service.store.publish(quotes, [quote({ symbol: 'FRESH' })]);
    await other.getByRole('rowheader').nth(rows).waitFor();
    expect(streams.length).toBe(1);
  });
});

/** Records what the tab that listens tells the others. */
const RECORD_SIGNALS = `
  globalThis.signals = [];
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (signal) {
    signals.push(signal);
    postMessage.call(this, signal);
  };
`;

async function openTab(page: Page): Promise<Page> {
  const opening = page.context().waitForEvent('page');
  const link = page.getByRole('navigation').getByRole('link', { name: 'Ledger' });
  await link.click({ modifiers: ['ControlOrMeta'] });
  const opened = await opening;
  await opened.getByRole('rowheader').first().waitFor();
  return opened;
}

function isData({ pathname }: URL): boolean {
  return /^\/(\d|catalogue|revisions)/.test(pathname);
}
