import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.ts';
import {
  expectAccessible,
  openExplorer,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';

describeInBrowser('the header of the explorer', () => {
  const service = useSampleServer();

  test('leaves the entry of the history as it was that a visitor goes back to while typing', async () => {
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

  test('has two rows on a phone, begins at the edge of the content, and marks what is chosen in forced colours', async () => {
    const page = await openExplorer(service, 'view=ledger&asof=2026-07-09T06:16:59Z', {
      forcedColors: 'active',
      colorScheme: 'dark',
      viewport: { width: 360, height: 740 },
    });
    await waitUntilLoaded(page);
    expect((await page.locator('.app-header').boundingBox())?.height).toBeLessThan(100);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1920, height: 900 });
    expect(await readLeftEdge(page, '.brand')).toBe(await readLeftEdge(page, 'main > *'));
    const all = page.getByRole('button', { name: 'All', exact: true });
    const other = page.getByRole('button', { name: 'Corrections and retirements' });
    expect(await readBackground(all)).not.toBe(await readBackground(other));
    const series = 'atm-transactions-quarterly-value';
    await page.goto(`${service.address}/?view=payments&compare=${series}`);
    await waitUntilLoaded(page);
    await expectAccessible(page);
  });

  test('finds a security by a part of its name, by keyboard and with the pointer', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await page.keyboard.press('Control+k');
    const input = page.getByRole('combobox', { name: /^Find/ });
    await page.getByRole('option', { name: /^Market Yield curve.* View$/ }).waitFor();
    await expectAccessible(page);
    await input.fill('certificate nov 2027 cedar');
    await page.getByRole('option', { name: /^CEDARTFC2/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'CEDARTFC2', level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe('?view=security&symbol=CEDARTFC2');
    await page.locator('main#view:focus').waitFor();
    await page.keyboard.press('/');
    await input.fill('17');
    await page.getByRole('option', { name: /^Revision 17/ }).click();
    await page.getByRole('heading', { name: 'Revision 17' }).waitFor();
    await page.keyboard.press('/');
    await input.fill('there is no such thing');
    await page.getByText('Nothing matches').waitFor();
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'detached' });
    const opener = page.getByRole('button', { name: 'Find' });
    await opener.click();
    await input.waitFor();
    await page.mouse.click(3, 3);
    await input.waitFor({ state: 'detached' });
    expect(await opener.and(page.locator(':focus')).count()).toBe(1);
  });

  test('writes numbers and dates in the language of the browser if the reader chooses it', async () => {
    const page = await openExplorer(service, 'view=ledger&revision=25', { locale: 'de-DE' });
    await page.getByText('3,995.8').first().waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByLabel('Numbers and dates').selectOption('browser');
    await page.getByText('3.995,8').first().waitFor();
    await page.getByText('20.07.2026, 06:24 UTC').first().waitFor();
    await page
      .getByRole('button', { name: 'Menu', expanded: true })
      .and(page.locator(':focus'))
      .waitFor();
    await page.reload();
    await page.getByText('3.995,8').first().waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByLabel('Numbers and dates').selectOption('english');
    await page.getByText('3,995.8').first().waitFor();
    expect(await page.evaluate("localStorage.getItem('tenor-formats')")).toBeNull();
  });
});

async function readLeftEdge(page: Page, selector: string): Promise<number | undefined> {
  return (await page.locator(selector).first().boundingBox())?.x;
}

function readBackground(button: ReturnType<Page['getByRole']>): Promise<string> {
  return button.evaluate(
    (element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor ?? '',
  );
}
