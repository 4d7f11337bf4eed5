import { expect, test } from 'bun:test';
import type { Page, Route } from 'playwright-core';
import { quotes } from '../../../../src/catalogue/datasets/quotes.ts';
import { describeInBrowser } from '../../../support/browser.ts';
import {
  expectAccessible,
  openExplorer,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';
import { quote } from '../../../support/quote-fixture.ts';
import { TOKEN } from '../../../support/test-server.ts';

describeInBrowser('tabs of the explorer', () => {
  const service = useSampleServer();
  const ledgerUrl = () => `${service.address}/?view=ledger#token=${TOKEN}`;
  let published = 0;
  const publish = () => service.store.publish(quotes, [quote({ symbol: `FRESH${++published}` })]);

  test('show a revision that was published while they were opened', async () => {
    const first = await openExplorer(service, 'view=ledger');
    await waitUntilLoaded(first);
    const rows = await first.getByRole('rowheader').count();
    const second = await first.context().newPage();
    const held: (() => Promise<void>)[] = [];
    const all = Promise.withResolvers<void>();
    // Its first poll reads the revision before, and arrives after the other tab told of the next.
    const hold = async (route: Route) => {
      const response = await route.fetch();
      held.push(() => route.fulfill({ response }));
      if (held.length === 2) all.resolve();
    };
    for (const path of ['catalogue', 'revisions?*'])
      await second.route(`**/${path}`, hold, { times: 1 });
    await second.addInitScript(NO_OTHER_POLLS);
    await second.goto(ledgerUrl());
    await all.promise;
    await publish();
    await first.getByRole('rowheader').nth(rows).waitFor();
    const nextPoll = second.waitForRequest('**/catalogue');
    for (const release of held) await release();
    await nextPoll;
  });

  test('warn of a rewritten log until one of them forgets what was before', async () => {
    const first = await openExplorer(service, 'view=ledger');
    await first.getByText(', verified').waitFor();
    await first.evaluate(KEEP_ANOTHER_ROOT);
    const second = await first.context().newPage();
    const tabs = [first, second];
    for (const tab of tabs) await tab.goto(`${service.address}/?view=funds#token=${TOKEN}`);
    for (const tab of tabs) await tab.getByRole('alert').getByText('was rewritten').waitFor();
    await second.getByText(', not verified').click();
    await second.getByText('What to do').click();
    await expectAccessible(second);
    await second.getByRole('button', { name: 'Forget the previous checkpoint' }).click();
    for (const tab of tabs) await tab.getByText(', verified').waitFor();
    expect(await first.getByRole('alert').count()).toBe(0);
  });

  test('learn of a revision that they were not told of by the next comment of the stream', async () => {
    const first = await openExplorer(service, 'view=ledger');
    await first.addInitScript(MUTE_ON_REQUEST);
    await first.reload();
    const rows = await countRevisions(first);
    const [second, asOf] = [await first.context().newPage(), await first.context().newPage()];
    await second.goto(ledgerUrl());
    await asOf.goto(ledgerUrl().replace('ledger', 'ledger&asof=2150-01-01T00:00:00Z'));
    for (const tab of [second, asOf]) expect(await countRevisions(tab)).toBe(rows);
    // They hear that one tab listens, and ask for nothing from then on.
    await publish();
    for (const tab of [second, asOf]) await tab.getByRole('rowheader').nth(rows).waitFor();
    await first.evaluate('globalThis.isMuted = true');
    await publish();
    await first
      .getByRole('rowheader')
      .nth(rows + 1)
      .waitFor();
    await first.evaluate('globalThis.isMuted = false');
    for (const tab of [second, asOf]) {
      await tab
        .getByRole('rowheader')
        .nth(rows + 1)
        .waitFor();
    }
  });

  test('poll by themselves, if there are no locks, once the one that listened has lost the focus', async () => {
    const first = await openExplorer(service, 'view=ledger');
    const second = await first.context().newPage();
    await first.context().addInitScript('delete Navigator.prototype.locks');
    await second.addInitScript('document.hasFocus = () => false');
    await first.reload();
    await second.goto(ledgerUrl());
    const rows = await countRevisions(second);
    await publish();
    await second.getByRole('rowheader').nth(rows).waitFor();
    await first.evaluate('document.hasFocus = () => false; dispatchEvent(new Event("blur"))');
    await publish();
    await second
      .getByRole('rowheader')
      .nth(rows + 1)
      .waitFor();
  });

  test('leave the entry of the history as it was that a visitor goes back to while typing', async () => {
    const page = await openExplorer(service, 'view=funds');
    await page.getByRole('navigation').getByRole('link', { name: 'Ledger' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Funds' }).click();
    const filter = page.getByRole('searchbox').first();
    await filter.pressSequentially('abc');
    await page.goBack();
    // The address is written 300 ms after the last key at most.
    await page.waitForTimeout(400);
    expect(new URL(page.url()).search).toBe('?view=funds');
    await page.goBack();
    expect(new URL(page.url()).search).toBe('?view=ledger');
  });
});

/** A tab that was visible from the start, and has heard that another one listens. */
const NO_OTHER_POLLS = `
  addEventListener('visibilitychange', (event) => event.stopImmediatePropagation(), true);
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (callback, ms) => (ms === 5_000 ? 0 : setTimeout(callback, ms));
`;

/** The tab tells the others nothing while `isMuted` is true. */
const MUTE_ON_REQUEST = `
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (signal) {
    if (!globalThis.isMuted) postMessage.call(this, signal);
  };
`;

async function countRevisions(page: Page): Promise<number> {
  await page.getByRole('rowheader').first().waitFor();
  return page.getByRole('rowheader').count();
}

const KEEP_ANOTHER_ROOT = `{
  const name = 'tenor-ledger /';
  const kept = JSON.parse(localStorage.getItem(name));
  localStorage.setItem(name, JSON.stringify({ ...kept, root: btoa('x'.repeat(32)) }));
}`;
