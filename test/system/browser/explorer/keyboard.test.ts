import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, openPage, tabTo } from '../../../support/browser.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';
import { TOKEN } from '../../../support/test-server.ts';

describeInBrowser('the explorer by keyboard', () => {
  const service = useSampleServer();

  test('leads from sign-in to a revision, to an earlier instant, and back to sign-out', async () => {
    const page = await openPage(service.address);
    await page.getByLabel('Token').waitFor();
    await page.keyboard.type(TOKEN);
    await page.keyboard.press('Enter');
    await page.locator('main#view').waitFor();
    await tabTo(page, page.getByRole('navigation').getByRole('link', { name: 'Ledger' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Corrections and retirements' }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('link', { name: '17', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'after this revision' }));
    await page.keyboard.press('Enter');
    await page.getByText('Historical view:').waitFor();
    await tabTo(page, page.getByRole('region', { name: 'Notices' }).getByRole('button'));
    await page.keyboard.press('Enter');
    await page.getByText('Historical view:').waitFor({ state: 'detached' });
    await tabTo(page, page.getByRole('button', { name: 'As of now' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: /^21 Settlement-system/ }));
    await page.keyboard.press('Enter');
    await page.getByText('Historical view:').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Menu' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Sign out' }));
    await page.keyboard.press('Enter');
    await page.getByLabel('Token').waitFor();
  });

  test('the first Tab offers to skip the header', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await waitUntilLoaded(page);
    await page.keyboard.press('Tab');
    const skip = page.getByRole('button', { name: 'Skip to content' });
    expect(await skip.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('MAIN view');
    await page.keyboard.press('Tab');
    expect(await isWithinMain(page)).toBe(true);
  });

  test('moves the focus to the content of another view, and keeps it within one', async () => {
    const page = await openExplorer(service, 'view=market');
    await tabTo(page, page.getByRole('navigation').getByRole('link', { name: 'Ledger' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ledger' }).waitFor();
    expect(await focused(page)).toBe('MAIN view');
    const choice = page.getByRole('button', { name: 'Corrections and retirements' });
    await tabTo(page, choice);
    await page.keyboard.press('Enter');
    await page.waitForURL(/kind=changes/);
    expect(await choice.evaluate((element) => element.matches(':focus'))).toBe(true);
  });

  test('moves the focus to the content when the focused element is removed', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await tabTo(page, page.getByRole('link', { name: '17', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Revision 17' }).waitFor();
    await page.locator('main#view:focus').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'before this revision' }));
    await page.keyboard.press('Enter');
    await page.getByText('Revisions 16 to 1').waitFor();
    await page.locator('main#view:focus').waitFor();
  });

  test('the focused element is visible and not hidden behind the header', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await waitUntilLoaded(page);
    const hidden: string[] = [];
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let steps = 0; steps < 40; steps++) {
        await page.keyboard.press(key);
        const problem = await page.evaluate<string | undefined>(FOCUS_PROBLEM);
        if (problem) hidden.push(problem);
      }
    }
    expect(hidden).toEqual([]);
  });
});

/** What is wrong with how the focus is shown; undefined where nothing is. */
const FOCUS_PROBLEM = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body || element.id === 'view') return undefined;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const name = element.outerHTML.slice(0, 80);
  if (outlineStyle === 'none' || outlineWidth === '0px') return 'no outline: ' + name;
  const { left, top, width, height } = element.getBoundingClientRect();
  const at = document.elementFromPoint(left + Math.min(width / 2, 40), top + Math.min(height / 2, 8));
  return at && (element.contains(at) || at.contains(element)) ? undefined : 'hidden: ' + name;
})()`;

/** The tag and the id of what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    "[document.activeElement?.tagName, document.activeElement?.id].join(' ')",
  );
}

function isWithinMain(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.querySelector('main').contains(document.activeElement)");
}
