import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { describeInBrowser, tabTo, visit } from '../support/browser.ts';
import { filledStore } from '../support/store.ts';
import { serviceOver, type TestService, TOKEN } from '../support/test-server.ts';
import { authorize, field, opened, operation, press, shown, tried } from './docs-page.ts';

const QUOTE = '/2.0/bnb/quote';
const SERIES = '/3.0/alternate/branchless-banking-agents';

describeInBrowser('/docs in a browser', () => {
  let service: TestService;
  let docs: string;
  beforeAll(async () => {
    service = await serviceOver(await filledStore());
    docs = `${service.address}/docs`;
  });
  afterAll(() => service.stop());

  test('opens without an error and without a request to another host', async () => {
    const { page, ...seen } = await visit(docs);
    await operation(page, QUOTE).waitFor();
    expect(await page.title()).toBe('Tenor: API reference');
    expect(seen.consoleErrors).toEqual([]);
    expect(seen.pageErrors).toEqual([]);
    expect(seen.foreignRequests).toEqual([]);
    expect(seen.requests).toContain(`${service.address}/openapi.json`);
  });

  test('lists every operation of our document, whatever its address asks for', async () => {
    const { page, foreignRequests } = await visit(`${docs}?url=https://elsewhere.example/a.json`);
    await operation(page, QUOTE).waitFor();
    const listed = await page
      .locator('.opblock-summary-path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('data-path')));
    const { paths } = await service.json('/openapi.json');
    expect(listed.toSorted()).toEqual(Object.keys(paths).toSorted());
    expect(foreignRequests).toEqual([]);
  });

  test('tries a series with the token that the visitor gave', async () => {
    const { page, ...seen } = await visit(docs);
    await authorize(page, TOKEN);
    const { status, body } = await tried(await opened(page, SERIES));
    expect(status).toBe('200');
    expect(JSON.parse(body)).toEqual(await service.json(SERIES));
    expect(seen.consoleErrors).toEqual([]);
    expect(seen.pageErrors).toEqual([]);
    expect(seen.foreignRequests).toEqual([]);
  });

  test('tries quotes as they are, then with a parameter and a header', async () => {
    const { page } = await visit(docs);
    await authorize(page, TOKEN);
    const quotes = await opened(page, QUOTE);
    expect((await tried(quotes)).status).toBe('200');

    const { data } = await service.json(`${QUOTE}?limit=1`);
    const instant = new Date(Date.now() + 60_000).toUTCString();
    await field(quotes, 'symbol').fill(data[0].symbol);
    await field(quotes, 'Accept-Datetime').fill(instant);
    await field(quotes, 'Prefer').fill('count=exact');
    const asking = page.waitForRequest((request) => request.url().includes('symbol='));
    const { status, body, headers } = await tried(quotes);
    expect(new URL((await asking).url()).searchParams.get('symbol')).toBe(data[0].symbol);
    expect(status).toBe('200');
    expect(JSON.parse(body)).toEqual(await service.json(`${QUOTE}?symbol=${data[0].symbol}`));
    expect(headers).toMatch(/memento-datetime: .+GMT/);
    expect(headers).toMatch(/tenor-total-count: \d+/);
  });

  test('asks for the form that is chosen, and gives it as a file', async () => {
    const { page, ...seen } = await visit(docs);
    await authorize(page, TOKEN);
    const quotes = await opened(page, QUOTE);
    for (const name of ['csv', 'parquet'] as const) {
      const accept = RESPONSE_FORMATS[name].mediaType;
      await quotes.locator('select[aria-label="Media Type"]').first().selectOption(accept);
      expect((await press(quotes)).status).toBe('200');
      const downloading = page.waitForEvent('download');
      await quotes.locator('.live-responses-table a[download]').click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(`quotes.${name}`);
      const answer = await service.ask(`${QUOTE}?type=all&limit=100`, { accept });
      expect(readFileSync(await download.path())).toEqual(Buffer.from(await answer.arrayBuffer()));
    }
    expect(seen.consoleErrors).toEqual([]);
  });

  test('shows what a wrong token is answered with', async () => {
    const { page } = await visit(docs);
    await authorize(page, 'wrong');
    const { status, body, headers } = await tried(await opened(page, SERIES));
    expect(status).toContain('401');
    expect(JSON.parse(body)).toEqual({ status: 'error', message: 'unauthorized_request' });
    expect(headers).toContain('www-authenticate: Bearer');
  });

  test('keeps the token for the tab alone, and out of every address', async () => {
    const { page, requests } = await visit(docs);
    await authorize(page, TOKEN);
    await page.reload();
    expect((await tried(await opened(page, SERIES))).status).toBe('200');
    expect(requests.filter((address) => address.includes(TOKEN))).toEqual([]);
    expect(page.url()).not.toContain(TOKEN);

    const otherTab = await page.context().newPage();
    await otherTab.goto(docs);
    expect((await tried(await opened(otherTab, SERIES))).status).toContain('401');
  });

  test('forgets the token when told to', async () => {
    const { page } = await visit(docs);
    await authorize(page, TOKEN);
    await page.locator('button.authorize').click();
    await page.locator('.modal-ux button', { hasText: 'Logout' }).click();
    await page.reload();
    expect((await tried(await opened(page, SERIES))).status).toContain('401');
  });

  test('opens the operation that a link leads to', async () => {
    const { page } = await visit(docs);
    await (await opened(page, SERIES)).locator('.execute').waitFor();
    const link = page.url();
    expect(link).toContain('branchless-banking-agents');
    const { page: followed } = await visit(link);
    await operation(followed, SERIES).locator('.execute').waitFor();
    expect(await followed.locator('.execute').count()).toBe(1);
  });

  test('can be used with the keyboard alone', async () => {
    const { page } = await visit(docs);
    await operation(page, QUOTE).waitFor();
    await tabTo(page, page.locator('button.authorize'));
    await page.keyboard.press('Enter');
    await tabTo(page, page.locator('.modal-ux input'));
    await page.keyboard.type(TOKEN);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Close', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, operation(page, QUOTE).locator('.opblock-summary-control'));
    await page.keyboard.press('Enter');
    await tabTo(page, operation(page, QUOTE).locator('.execute'));
    await page.keyboard.press('Enter');
    expect((await shown(operation(page, QUOTE))).status).toBe('200');
  });

  test('fits a phone, and can be tried there', async () => {
    const { page } = await visit(docs, { viewport: { width: 360, height: 640 } });
    await authorize(page, TOKEN);
    const quotes = await opened(page, QUOTE);
    expect((await field(quotes, 'symbol').boundingBox())?.width).toBeGreaterThan(270);
    expect((await tried(quotes)).status).toBe('200');
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
  });

  test('is dark for those who like it so', async () => {
    const background = async (colorScheme: 'light' | 'dark') => {
      const { page } = await visit(docs, { colorScheme });
      const colour = 'getComputedStyle(document.documentElement).backgroundColor';
      const [red = 0] = (await page.evaluate<string>(colour)).match(/\d+/g)?.map(Number) ?? [];
      return red;
    };
    expect(await background('light')).toBeGreaterThan(200);
    expect(await background('dark')).toBeLessThan(50);
  });
});
