import { expect, test } from 'bun:test';
import { describeInBrowser } from '../../../support/browser.ts';
import { expectAccessible, openExplorer, useSampleServer } from '../../../support/explorer.ts';
import { TOKEN } from '../../../support/test-server.ts';

describeInBrowser('tabs of the explorer', () => {
  const service = useSampleServer();

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

const KEEP_ANOTHER_ROOT = `{
  const name = 'tenor-ledger /';
  const kept = JSON.parse(localStorage.getItem(name));
  localStorage.setItem(name, JSON.stringify({ ...kept, root: btoa('x'.repeat(32)) }));
}`;
