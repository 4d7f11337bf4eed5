import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { quotes } from '../../../../src/catalogue/datasets/quotes.ts';
import { issueToken } from '../../../../src/tokens/issue-token.ts';
import { allowErrors, describeInBrowser, getActivity, openPage } from '../../../support/browser.ts';
import {
  expectAccessible,
  expectNoSidewaysScrolling,
  openExplorer,
} from '../../../support/explorer.ts';
import { quote } from '../../../support/quote-fixture.ts';
import { createFilledStore } from '../../../support/store.ts';
import { type TestServer, TOKEN } from '../../../support/test-server.ts';
import { useTestServer } from '../../../support/use-test-server.ts';

const REFUSED = 'The service does not accept this token';

describeInBrowser('sign-in to the explorer', () => {
  const service = useTestServer(createFilledStore);

  const issued = async (scopes: string[]) => {
    const tokens = service.store.tokens();
    const { secret, token } = await issueToken(tokens, { ...TERMS, scopes });
    const revoke = () => tokens.update(token.id, { revokedAt: new Date().toISOString() });
    return { secret, revoke, close: () => tokens.close() };
  };

  test('asks for a token, and shows no data before it has one', async () => {
    const page = await openPage(service.address);
    const { requests } = getActivity(page);
    await page.getByLabel('Token').waitFor();
    await page.waitForFunction("document.title === 'Sign in · Tenor'");
    expect(await isFocused(page, 'Token')).toBe(true);
    const asked = new Set(requests.map((address) => new URL(address).pathname));
    const scripts = ['/explorer/main.js', '/explorer/shared.js'];
    const own = ['/', '/docs/icon.svg', '/explorer/main.css', '/sign-in.json', ...scripts];
    expect(asked).toEqual(new Set(own));
    await expectAccessible(page);
  });

  test('accepts a token with spaces around it or Bearer before it', async () => {
    for (const typed of [TOKEN, `  ${TOKEN} `, `Bearer ${TOKEN}`]) {
      const page = await openPage(`${service.address}/?view=ledger`);
      await signIn(page, typed);
      await heading(page, 'Ledger').waitFor();
      expect(getActivity(page).requests.filter((address) => address.includes(TOKEN))).toEqual([]);
    }
  });

  test.each([
    ['', 'Paste a token first.'],
    ['   ', 'Paste a token first.'],
    ['two words', 'A token has no spaces'],
    ['tökén', 'A token has no spaces'],
    ['wrong', REFUSED],
  ])('refuses "%s" and says why', async (typed, why) => {
    const page = await openPage(service.address);
    await signIn(page, typed);
    await page.getByRole('alert').getByText(why).waitFor();
    expect(await isFocused(page, 'Token')).toBe(true);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await expectAccessible(page);
    await signIn(page, TOKEN);
    await heading(page, 'Market').waitFor();
    allowErrors(page, /401/);
  });

  test('signs in by a link, and removes the token from the URL and the history at once', async () => {
    const page = await openExplorer(service, 'view=ledger');
    const { requests } = getActivity(page);
    expect(page.url()).toBe(`${service.address}/?view=ledger`);
    await page.getByRole('link', { name: 'Market' }).click();
    await heading(page, 'Market').waitFor();
    await page.goBack();
    await heading(page, 'Ledger').waitFor();
    expect(page.url()).toBe(`${service.address}/?view=ledger`);
    expect(requests.filter((address) => address.includes(TOKEN))).toEqual([]);
  });

  test('signs in by a link that is opened in the same tab', async () => {
    const page = await openPage(`${service.address}/?view=ledger`);
    await page.getByLabel('Token').waitFor();
    await page.goto(`${service.address}/?view=ledger#token=${TOKEN}`);
    await heading(page, 'Ledger').waitFor();
    expect(page.url()).toBe(`${service.address}/?view=ledger`);
    await page.goBack();
    expect(page.url()).not.toContain('token');
  });

  test('says what is wrong with the token of a link', async () => {
    for (const [token, why] of [
      ['wrong', REFUSED],
      ['two%20words', 'The link you opened contains no valid token.'],
      ['', 'The link you opened contains no valid token.'],
    ]) {
      const page = await openPage(`${service.address}/?view=ledger#token=${token}`);
      await page
        .getByRole('alert')
        .getByText(why ?? '')
        .waitFor();
      expect(page.url()).toBe(`${service.address}/?view=ledger`);
      await signIn(page, TOKEN);
      await heading(page, 'Ledger').waitFor();
      allowErrors(page, /401/);
    }
  });

  test('keeps the token for the tab alone until sign-out, and nothing after it', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await page.reload();
    await heading(page, 'Ledger').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    const other = await page.context().newPage();
    await other.goto(`${service.address}/?view=ledger`);
    await other.getByLabel('Token').waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await page.reload();
    await page.getByLabel('Token').waitFor();
  });

  test('works without session storage until the page is closed', async () => {
    const page = await openPage(service.address);
    await page.addInitScript(`for (const name of ['sessionStorage', 'localStorage']) {
      Object.defineProperty(window, name, { get() { throw new Error('forbidden'); } });
    }`);
    await page.goto(`${service.address}/?view=ledger#token=${TOKEN}`);
    await heading(page, 'Ledger').waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByLabel('Theme').selectOption('dark');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.reload();
    await page.getByLabel('Token').waitFor();
  });

  test('asks for another token when it reads the next revision with one that is revoked, and continues in the same view', async () => {
    const { secret, revoke, close } = await issued(['quotes', 'funds', 'alternate']);
    const at = '?view=ledger&dataset=quotes&kind=changes';
    const page = await openPage(service.address);
    await known(service, secret);
    await page.goto(`${service.address}/${at}#token=${secret}`);
    await heading(page, 'Ledger').waitFor();
    await revoke();
    await service.store.publish(quotes, [quote({ symbol: 'NEXT' })]);
    await page.getByRole('alert').getByText(REFUSED).waitFor();
    await signIn(page, TOKEN);
    await heading(page, 'Ledger').waitFor();
    expect(new URL(page.url()).search).toBe(at);
    expect(await page.getByLabel('Dataset').inputValue()).toBe('quotes');
    close();
    allowErrors(page, /401/);
  });

  test('offers the views that the token gives access to, and says what the others need', async () => {
    const { secret, close } = await issued(['quotes']);
    await known(service, secret);
    const page = await openPage(`${service.address}/#token=${secret}`);
    await heading(page, 'Market').waitFor();
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
      'Market',
      'Security',
      'Portfolio',
      'Ledger',
    ]);
    await page.goto(`${service.address}/?view=payments`);
    await page.getByText('Your token has no access to this view').waitFor();
    await page.getByText('npx tenor token create --name NAME --scopes alternate').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in with another token' }).click();
    await signIn(page, TOKEN);
    await heading(page, 'Data').waitFor();
    close();
  });

  test('starts with the first view that the token gives access to', async () => {
    const { secret, close } = await issued(['funds']);
    await known(service, secret);
    const page = await openPage(`${service.address}/#token=${secret}`);
    await page.waitForURL(`${service.address}/?view=funds`);
    await page.getByRole('link', { name: 'Ledger' }).click();
    await page.goto(service.address);
    await page.waitForURL(`${service.address}/?view=funds`);
    close();
  });

  test('fits a phone and a wide screen, in light and dark', async () => {
    for (const width of [360, 1600]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const viewport = { width, height: 740 };
        const page = await openPage(service.address, { viewport, colorScheme });
        await page.getByLabel('Token').waitFor();
        await expectNoSidewaysScrolling(page);
        await expectAccessible(page);
      }
    }
  });
});

const TERMS = { name: 'visitor', rate: null, expiresAt: null };

async function signIn(page: Page, typed: string): Promise<void> {
  await page.getByLabel('Token').fill(typed);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

function heading(page: Page, name: string) {
  return page.getByRole('heading', { name, level: 1 });
}

function isFocused(page: Page, label: string): Promise<boolean> {
  return page.getByLabel(label).evaluate((element) => element.matches(':focus'));
}

/** Waits until the service knows a token that was just made. */
async function known(service: TestServer, secret: string): Promise<void> {
  const authorization = `Bearer ${secret}`;
  while ((await service.request('/catalogue', { authorization })).status !== 200)
    await Bun.sleep(50);
}
