import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { quotes } from '../../../../src/catalogue/datasets/quotes.ts';
import { describeInBrowser, getActivity, openBlankPage } from '../../../support/browser.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';
import { quote } from '../../../support/quote-fixture.ts';
import { runTenorProcess } from '../../../support/run-tenor.ts';
import { TOKEN } from '../../../support/test-server.ts';

describeInBrowser('requests of the explorer', () => {
  const service = useSampleServer();
  const cwd = mkdtempSync(join(tmpdir(), 'tenor-verify-'));
  afterAll(() => rmSync(cwd, { recursive: true }));

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
      .filter(({ name }) => /\\.js/.test(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
    expect(bytes).toBeGreaterThan(40_000);
    expect(bytes).toBeLessThanOrEqual(90_000);
  });

  test('verifies nothing itself, and says by which command a visitor does, as of an instant too', async () => {
    const { data } = await service.getJson('/revisions');
    for (const { revision, publishedAt } of [data[0], data.at(-3)]) {
      const page = await openExplorer(service, `view=ledger&asof=${publishedAt}`);
      const line = page.locator('footer').getByText(`Revision ${revision}. `);
      const [npx, tenor, ...words] = ((await line.locator('code').textContent()) ?? '').split(' ');
      expect([npx, tenor]).toEqual(['npx', 'tenor']);
      expect(words).toEqual(['verify', service.address, '--state', 'tenor-state.json']);
      // As a visitor runs it, once without a state and once with that.
      const { status, out, err } = await runTenorProcess(
        [...words, '--log-only'],
        { TENOR_TOKEN: TOKEN },
        { cwd },
      );
      expect([status, err]).toEqual([0, expect.any(String)]);
      expect(out).toMatch(/^Verified: \d+ revisions of tenor\//);
    }
  });

  test('asks for the checkpoint alone while nothing is published, without the token, and for nothing while hidden', async () => {
    const page = await openBlankPage(service.address);
    await page.clock.install();
    await page.goto(`${service.address}/?view=ledger#token=${TOKEN}`);
    await page.getByRole('rowheader').first().waitFor();
    await waitUntilLoaded(page);
    // A page that becomes visible while it loads asks once more.
    await page.clock.runFor(1_000);
    const { requests } = getActivity(page);
    const countNew = async (ms: number) => {
      const before = requests.length;
      await page.clock.runFor(ms);
      await waitUntilLoaded(page);
      return requests.slice(before).map((url) => new URL(url).pathname);
    };
    const tokens: (string | undefined)[] = [];
    page.on('request', (request) => void tokens.push(request.headers().authorization));
    for (let poll = 0; poll < 3; poll++)
      expect(await countNew(5_000)).toEqual(['/ledger/checkpoint']);
    expect(new Set(tokens)).toEqual(new Set([undefined]));
    await setHidden(page, true);
    expect(await countNew(60_000)).toEqual([]);
    await setHidden(page, false);
    expect(await countNew(100)).toEqual(['/ledger/checkpoint']);
  });

  test('shows a revision in every visible tab within seconds, and in a hidden one once it is shown', async () => {
    const tabs = [await openExplorer(service, 'view=ledger')];
    for (let count = 1; count < 3; count++) {
      const tab = (await tabs[0]?.context().newPage()) as Page;
      await tab.goto(`${service.address}/?view=ledger#token=${TOKEN}`);
      tabs.push(tab);
    }
    for (const tab of tabs) await tab.getByRole('rowheader').first().waitFor();
    const [hidden, ...visible] = tabs as [Page, ...Page[]];
    const rows = await hidden.getByRole('rowheader').count();
    await setHidden(hidden, true);
    await service.store.publish(quotes, [quote({ symbol: 'FRESH' })]);
    for (const tab of visible) await tab.getByRole('rowheader').nth(rows).waitFor();
    expect(await hidden.getByRole('rowheader').count()).toBe(rows);
    await setHidden(hidden, false);
    await hidden.getByRole('rowheader').nth(rows).waitFor({ timeout: 3_000 });
  });
});

/** Does what a browser does when its visitor leaves a tab, or comes back to it. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}

function isData({ pathname }: URL): boolean {
  return /^\/(\d|catalogue|revisions)/.test(pathname);
}
