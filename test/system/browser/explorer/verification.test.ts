import { expect, test } from 'bun:test';
import { quotes } from '../../../../src/catalogue/datasets/quotes.ts';
import { allowErrors, describeInBrowser } from '../../../support/browser.ts';
import { copyStore } from '../../../support/copy-store.ts';
import { openExplorer } from '../../../support/explorer.ts';
import { quote } from '../../../support/quote-fixture.ts';
import { createStore } from '../../../support/store.ts';
import { startTestServer } from '../../../support/test-server.ts';

describeInBrowser('the log of the ledger in the explorer', () => {
  test('is verified with each revision, and raises an alarm when it was rewritten', async () => {
    const store = await createStore();
    await store.publish(quotes, [quote({ symbol: 'A' })]);
    const rewritten = await copyStore(store);
    await rewritten.publish(quotes, [quote({ symbol: 'C' })]);
    const server = await startTestServer(store);
    const page = await openExplorer(server, 'view=ledger');
    await page.getByText('Revision 1, verified').waitFor();
    await store.publish(quotes, [quote({ symbol: 'B' })]);
    await page.getByText('Revision 2, verified').click();
    await page.getByText('1 revision verified since').waitFor();
    const checkpoint = await (await server.request('/ledger/checkpoint')).text();
    await page.getByText(checkpoint).waitFor();

    allowErrors(page, /net::ERR_/);
    await server.stop();
    const port = Number(new URL(server.address).port);
    await using _other = await startTestServer(rewritten, { port });
    await page.reload();
    const alarm = page.getByRole('alert');
    await alarm.getByText('The history of this service was rewritten').waitFor();
    await page.getByText('Revision 2, not verified').waitFor();
    await page.getByText('What to do').click();
    const notices = page.getByRole('region', { name: 'Notices' });
    await notices.getByText(checkpoint).waitFor();
    await page.getByRole('button', { name: 'Forget the previous checkpoint' }).click();
    await page.getByText('Revision 2, verified').waitFor();
    expect(await alarm.count()).toBe(0);
  });
});
