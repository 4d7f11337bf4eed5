// One test for each page that a browser shows; test/system/browser has all others.
import { expect, test } from 'bun:test';
import { describeInBrowser } from '../support/browser.ts';
import { openExplorer, waitUntilLoaded } from '../support/explorer.ts';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

describeInBrowser('the pages of a server', () => {
  const server = useTestServer(createFilledStore);

  test.each(['Market', 'Security', 'Portfolio', 'Funds', 'Data', 'Ledger'])(
    'the view %s is shown by a link, with its title',
    async (view) => {
      const page = await openExplorer(server, `view=${view.toLowerCase()}`);
      await waitUntilLoaded(page);
      expect(await page.title()).toBe(`${view} · Tenor`);
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    },
  );
});
