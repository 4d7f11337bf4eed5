import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { allowErrors, describeInBrowser } from '../../../support/browser.ts';
import { retryUntil } from '../../../support/eventually.ts';
import {
  expectRestored,
  expectUsable,
  openExplorer,
  readSelections,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';
import { TOKEN } from '../../../support/test-server.ts';

/** Links into each view, first to all of it, then to what looks different within it. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  Market: ['view=market', 'view=market&date=2025-06-30&type=bond&against=year'],
  Security: ['view=security', 'view=security&symbol=Z10PIB211026'],
  Funds: [
    'view=funds',
    'view=funds&fund=5a3b0f1e-0000-4000-8000-000000000001&with=5a3b0f1e-0000-4000-8000-000000000004',
  ],
  Data: [
    'view=payments',
    'view=payments&series=settlement-transactions-value',
    'view=payments&series=mobile-money-market-share-value',
    'view=payments&series=branchless-banking-agents',
  ],
  Ledger: ['view=ledger', 'view=ledger&revision=17'],
};

/** What looks different again, and is checked for accessibility alone. */
const OTHER_STATES: Readonly<Record<string, readonly string[]>> = {
  Security: [
    'view=security&find=tfc',
    'view=security&symbol=Z10PIB211026&span=1M&point=2026-06-17',
  ],
  Data: [
    'view=payments&series=atm-transactions-quarterly-value&mode=change&table=changes',
    'view=payments&compare=pos-transactions-quarterly-volume,online-banking-annual-volume',
  ],
  Ledger: ['view=ledger&revision=15', 'view=ledger&revision=9999'],
};

/** What the page is called where it shows something that has a name of its own. */
const TITLES: Readonly<Record<string, string>> = {
  'view=security&symbol=Z10PIB211026': 'Z10PIB211026',
  'view=ledger&revision=17': 'Revision 17',
};

describeInBrowser('every view of the explorer', () => {
  const service = useSampleServer();

  for (const [title, links] of Object.entries(LINKS)) {
    describe(title, () => {
      test('is restored by links to what it shows, and by a reload, with its title', async () => {
        for (const query of links.slice(1))
          await expectRestored(service, query, title, TITLES[query]);
      });

      test.each([...links, ...(OTHER_STATES[title] ?? [])])(
        '?%s fits a phone, a tablet and a wide screen, and is accessible in light and dark',
        async (query) => {
          const page = await openExplorer(service, query);
          if (query.endsWith('revision=9999')) allowErrors(page, /404/);
          await expectUsable(page);
        },
      );
    });
  }

  test('starts with the market if the URL names no view, and says so if it names an unknown one', async () => {
    for (const at of ['', 'view=']) {
      const page = await openExplorer(service, at);
      await page.getByRole('heading', { name: /^Market/, level: 1 }).waitFor();
    }
    const page = await openExplorer(service, 'view=nothing');
    await page.getByText('There is no view “nothing”').waitFor();
    expect(await page.getByRole('navigation').locator('[aria-current=page]').count()).toBe(0);
  });

  test('goes back and forward through views and selections', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await page.getByLabel('Dataset').selectOption('quotes');
    await page.getByRole('button', { name: 'Corrections and retirements' }).click();
    await page.getByRole('link', { name: '17', exact: true }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Funds' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Ledger' }).click();
    const steps = [
      'view=ledger',
      'view=ledger&dataset=quotes',
      'view=ledger&dataset=quotes&kind=changes',
      'view=ledger&revision=17',
      'view=funds',
      'view=ledger',
    ];
    const shown: string[][] = [];
    for (const step of steps.toReversed()) {
      await page.waitForURL(`${service.address}/?${step}`);
      await waitUntilLoaded(page);
      shown.unshift(await readSelections(page));
      if (shown.length < steps.length) await page.goBack();
    }
    expect(new Set(shown.map(String)).size).toBe(steps.length - 1);
    for (const [index, step] of steps.entries()) {
      await page.waitForURL(`${service.address}/?${step}`);
      await waitUntilLoaded(page);
      expect(await readSelections(page)).toEqual(shown[index] ?? []);
      if (index < steps.length - 1) await page.goForward();
    }
  });

  test('restores the scroll of page and table on Back, Forward and reload', async () => {
    const viewport = { width: 1000, height: 500 };
    const page = await openExplorer(service, 'view=security', { viewport });
    await waitUntilLoaded(page);
    await page.evaluate(`document.querySelector('.table-scroll').scrollTop = 150;
      document.querySelector('.table-scroll').scrollIntoView()`);
    const scrolled = await readScroll(page);
    expect(Math.min(...scrolled)).toBeGreaterThan(100);
    await page.evaluate("document.querySelector('.table-scroll tbody th a').click()");
    await page.locator('.security-page').waitFor();
    await waitUntilLoaded(page);
    expect((await readScroll(page))[0]).toBe(0);
    await page.evaluate('scrollTo(0, 200)');
    await expectSavedScroll(page, 200);
    await page.goBack();
    await expectScroll(page, scrolled);
    await page.goForward();
    await expectScroll(page, [200, 0]);
    await page.goBack();
    await expectScroll(page, scrolled);
    await expectSavedScroll(page, scrolled[0] ?? 0);
    await page.reload();
    await expectScroll(page, scrolled);
  });

  test('adds no history entry for a link to the current view', async () => {
    const page = await openExplorer(service, 'view=ledger');
    const steps = await page.evaluate<number>('history.length');
    await page.getByRole('navigation').getByRole('link', { name: 'Ledger' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Ledger' }).click();
    expect(await page.evaluate<number>('history.length')).toBe(steps);
  });

  test('signs in the tab that Ctrl or the middle button opens, and stores the token in no other place', async () => {
    const page = await openExplorer(service, 'view=ledger');
    const requests: string[] = [];
    page.context().on('request', (request) => requests.push(request.url()));
    const link = page.getByRole('navigation').getByRole('link', { name: 'Funds' });
    for (const options of [
      { modifiers: ['ControlOrMeta' as const] },
      { button: 'middle' as const },
    ]) {
      const opening = page.context().waitForEvent('page');
      await link.click(options);
      const opened = await opening;
      await opened.getByRole('heading', { name: 'Funds', level: 1 }).waitFor();
      expect(opened.url()).toBe(`${service.address}/?view=funds`);
      const stored = (await opened.evaluate('Object.values(sessionStorage)')) as string[];
      expect(stored.filter((value) => value.includes(TOKEN))).toHaveLength(1);
      expect(await opened.evaluate('JSON.stringify(localStorage)')).not.toContain(TOKEN);
    }
    expect(requests.filter((url) => url.includes(TOKEN))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    expect(page.url()).toBe(`${service.address}/?view=ledger`);
  });

  test('follows the color scheme of the system until the user chooses a theme, which is kept', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openExplorer(service, 'view=ledger', { colorScheme });
      const isDark = colorScheme === 'dark';
      expect(await readColorScheme(page)).toBe(isDark ? 'dark' : 'light');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByLabel('Theme').selectOption(isDark ? 'light' : 'dark');
      expect(await readColorScheme(page)).toBe(isDark ? 'light' : 'dark');
      await page.reload();
      await page.locator('main#view').waitFor();
      expect(await readColorScheme(page)).toBe(isDark ? 'light' : 'dark');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByLabel('Theme').selectOption('system');
      expect(await readColorScheme(page)).toBe(isDark ? 'dark' : 'light');
    }
  });

  test('animates nothing if reduced motion is preferred', async () => {
    const moving = async (reducedMotion: 'reduce' | 'no-preference') => {
      const page = await openExplorer(service, 'view=funds', { reducedMotion });
      await waitUntilLoaded(page);
      return page.evaluate<number>(`[...document.querySelectorAll('*')].filter((element) => {
        const { transitionDuration, animationName } = getComputedStyle(element);
        return transitionDuration !== '0s' || animationName !== 'none';
      }).length`);
    };
    expect(await moving('reduce')).toBe(0);
    expect(await moving('no-preference')).toBeGreaterThan(0);
  });
});

/** How far the page and its first table are scrolled. */
function readScroll(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(
    "[scrollY, document.querySelector('.table-scroll')?.scrollTop ?? 0]",
  );
}

/** Waits until the history entry holds how far the page is scrolled. */
async function expectSavedScroll(page: Page, scroll: number): Promise<void> {
  await retryUntil(5_000, async () =>
    expect(await page.evaluate<number | undefined>('history.state?.page')).toBe(scroll),
  );
}

/** Waits for the scroll that `readScroll` tells. */
async function expectScroll(page: Page, scroll: readonly number[]): Promise<void> {
  await retryUntil(10_000, async () => expect(await readScroll(page)).toEqual([...scroll]));
}

async function readColorScheme(page: Page): Promise<'light' | 'dark'> {
  const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  return Number(/\d+/.exec(colour)?.[0]) > 128 ? 'light' : 'dark';
}
