import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { issueLink, issueToken } from '../../../../src/tokens/issue-token.ts';
import { allowErrors, describeInBrowser, getBrowser, openPage } from '../../../support/browser.ts';
import { retryUntil } from '../../../support/eventually.ts';
import {
  expectAccessible,
  openExplorer,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';

const SERIES = ['pos-transactions-quarterly-volume', 'atm-transactions-quarterly-value'];

/** A view with a chart, the panel of that, and what the frame draws. */
const CHARTS = [
  ['view=market', /^Yield curve/, 'svg .curve, svg circle, svg path.line'],
  ['view=market', / through time$/, 'path.line'],
  ['view=security&symbol=Z10PIB211026', 'History', 'path.line'],
  ['view=security&symbol=Z10PIB211026&with=CEDARTFC2', 'Comparison', 'path.line'],
  ['view=funds&fund=5a3b0f1e-0000-4000-8000-000000000001', 'Allocation', 'path.line'],
  ['view=payments&series=settlement-transactions-value', /./, 'path.line, path.bars'],
  [`view=payments&compare=${SERIES.join()}`, 'Comparison', 'path.line'],
] as const;

describeInBrowser('a chart in a frame of another site', () => {
  const service = useSampleServer();
  let site: ReturnType<typeof Bun.serve>;
  let frame = '';
  beforeAll(() => {
    const headers = { 'content-type': 'text/html' };
    site = Bun.serve({ port: 0, fetch: () => new Response(`<p>Site</p>${frame}`, { headers }) });
  });
  afterAll(() => site.stop(true));

  test('every chart is drawn from the links that its token signs, and nothing else', async () => {
    const page = await openExplorer(service, 'view=ledger');
    const { sitePage, shown, requests, errors } = await openSite();
    for (const [query, panel, drawing] of CHARTS) {
      await page.goto(`${service.address}/?${query}`);
      await waitUntilLoaded(page);
      frame = await createFrame(page, panel);
      expect(frame).toContain('#link=signed.');
      requests.length = 0;
      await sitePage.goto(site.url.href);
      await shown.locator(drawing).first().waitFor();
      await shown.getByText('sample data, made up').waitFor();
      const ofService = requests.filter((url) => url.startsWith(service.address));
      const others = ofService.filter((url) => !/\/(links|explorer|docs)\/|\/\?embed&/.test(url));
      expect([query, ...others]).toEqual([query]);
    }
    expect(errors).toEqual([]);
  });

  test('is drawn from links that the operator creates, if the token may not share', async () => {
    const tokens = service.store.tokens();
    const issued = await issueToken(tokens, {
      name: 'reader',
      scopes: ['quotes'],
      rate: null,
      expiresAt: null,
      mayShare: false,
    });
    tokens.close();
    const page = await openPage(
      `${service.address}/?view=security&symbol=Z10PIB211026#token=${issued.secret}`,
    );
    await waitUntilLoaded(page);
    frame = await createFrame(page, 'History', createLink);
    allowErrors(page, /403/);
    const { sitePage, shown } = await openSite();
    await sitePage.goto(site.url.href);
    await shown.locator('path.line').first().waitFor();
  });

  test('says what is wrong with a link, and shows nothing without one', async () => {
    const { sitePage, shown } = await openSite();
    frame = `<iframe src="${service.address}/?embed&view=market#link=tenor_link_wrong"></iframe>`;
    await sitePage.goto(site.url.href);
    await shown.getByRole('alert').getByText('This link is unknown').waitFor();
    frame = `<iframe src="${service.address}/?embed&view=market"></iframe>`;
    await sitePage.reload();
    await shown.getByText('There is no link to read the data from').waitFor();
    frame = `<iframe src="${service.address}/?view=market"></iframe>`;
    await sitePage.reload();
    expect(await shown.locator('main').count()).toBe(0);
  });

  /** Not by `openPage`: this page sends requests to two servers. */
  async function openSite() {
    const context = await (await getBrowser()).newContext();
    context.setDefaultTimeout(60_000);
    const sitePage = await context.newPage();
    const requests: string[] = [];
    const errors: string[] = [];
    sitePage.on('request', (request) => requests.push(request.url()));
    sitePage.on('pageerror', ({ message }) => errors.push(message));
    sitePage.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    return { sitePage, shown: sitePage.frameLocator('iframe'), requests, errors };
  }

  /** Does what the dialog says, and returns the text of the frame. */
  async function createFrame(
    page: Page,
    panel: string | RegExp,
    create?: (command: string) => Promise<string>,
  ): Promise<string> {
    const region = page
      .locator('main')
      .getByRole('region', { name: panel })
      .filter({ has: page.locator('svg') })
      .first();
    await region.getByRole('button', { name: 'Share', exact: true }).click();
    await region.getByRole('button', { name: 'Frame for a page…' }).click();
    const dialog = page.getByRole('dialog');
    if (panel === 'History') await expectAccessible(page);
    if (create) {
      const [commands = ''] = await dialog.locator('pre').allInnerTexts();
      const printed = await Promise.all(commands.split('\n').map(create));
      await dialog.getByLabel('Output of the commands').fill(printed.join('\n'));
    }
    await retryUntil(5_000, async () =>
      expect(await dialog.locator('pre').last().innerText()).not.toContain('SECRET'),
    );
    const text = await dialog.locator('pre').last().innerText();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    const opener = region.getByRole('button', { name: 'Share', exact: true });
    expect(await opener.and(page.locator(':focus')).count()).toBe(1);
    return text;
  }

  /** What `tenor link create` does with a target that it has checked. */
  async function createLink(command: string): Promise<string> {
    const target = /create '([^']+)'/.exec(command)?.[1] ?? '';
    expect((await service.request(target)).status).toBe(200);
    const links = service.store.tokens();
    const { secret } = await issueLink(links, {
      target,
      name: 'x',
      rate: null,
      expiresAt: null,
      scopes: ['quotes', 'funds', 'alternate'],
    });
    links.close();
    await retryUntil(5_000, async () =>
      expect((await service.request(`/links/${secret}`, { authorization: '' })).status).toBe(200),
    );
    return `/links/${secret}`;
  }
});
