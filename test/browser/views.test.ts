// One test for each page that a browser shows; test/system/browser has all others.
import { expect, test } from 'bun:test';
import { describeInBrowser, getActivity, openPage } from '../support/browser.ts';
import { openExplorer, waitUntilLoaded } from '../support/explorer.ts';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';
import { findOperation, openOperation } from '../system/browser/docs-page.ts';

describeInBrowser('the pages of a server', () => {
  const server = useTestServer(createFilledStore);

  test.each(['Market', 'Security', 'Funds', 'Data', 'Ledger'])(
    'the view %s is shown by a link, with its title',
    async (view) => {
      const page = await openExplorer(server, `view=${view.toLowerCase()}`);
      await waitUntilLoaded(page);
      expect(await page.title()).toBe(`${view} · Tenor`);
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    },
  );

  test('the API reference lists every operation of our OpenAPI document, and of no other that its URL names', async () => {
    const page = await openPage(`${server.address}/docs?url=https://elsewhere.example/a.json`);
    await findOperation(page, '/2.0/bnb/quote').waitFor();
    expect(await page.title()).toBe('Tenor: API reference');
    const listed = await page
      .locator('.opblock-summary-path')
      .evaluateAll((elements) => elements.map((element) => element.getAttribute('data-path')));
    const { paths } = await server.getJson('/openapi.json');
    expect(listed.toSorted()).toEqual(Object.keys(paths).toSorted());
    expect(getActivity(page).requests).toContain(`${server.address}/openapi.json`);
    // A stream never ends, and its response would never be shown.
    for (const [path, buttons] of [
      ['/events', 0],
      ['/revisions', 1],
    ] as const) {
      const operation = await openOperation(page, path);
      await operation.locator('.opblock-body').waitFor();
      expect([path, await operation.locator('.execute').count()]).toEqual([path, buttons]);
    }
  });
});
