import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { describeInBrowser, openPage, tabTo } from '../support/browser.ts';
import { createFilledStore } from '../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../support/test-server.ts';
import {
  authorize,
  execute,
  findField,
  findOperation,
  openOperation,
  pressExecute,
  readResponse,
} from './docs-page.ts';

const QUOTE = '/2.0/bnb/quote';
const SERIES = '/3.0/alternate/branchless-banking-agents';

describeInBrowser('/docs in a browser', () => {
  let service: TestServer;
  let docs: string;
  beforeAll(async () => {
    service = await startTestServer(await createFilledStore());
    docs = `${service.address}/docs`;
  });
  afterAll(() => service.stop());

  test('opens without an error and without a request to another host', async () => {
    const { page, ...seen } = await openPage(docs);
    await findOperation(page, QUOTE).waitFor();
    expect(await page.title()).toBe('Tenor: API reference');
    expect(seen.consoleErrors).toEqual([]);
    expect(seen.pageErrors).toEqual([]);
    expect(seen.foreignRequests).toEqual([]);
    expect(seen.requests).toContain(`${service.address}/openapi.json`);
  });

  test('lists every operation of our document, whatever its address asks for', async () => {
    const { page, foreignRequests } = await openPage(
      `${docs}?url=https://elsewhere.example/a.json`,
    );
    await findOperation(page, QUOTE).waitFor();
    const listed = await page
      .locator('.opblock-summary-path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('data-path')));
    const { paths } = await service.getJson('/openapi.json');
    expect(listed.toSorted()).toEqual(Object.keys(paths).toSorted());
    expect(foreignRequests).toEqual([]);
  });

  test('tries a series with the token that the visitor gave', async () => {
    const { page, ...seen } = await openPage(docs);
    await authorize(page, TOKEN);
    const { status, body } = await execute(await openOperation(page, SERIES));
    expect(status).toBe('200');
    expect(JSON.parse(body)).toEqual(await service.getJson(SERIES));
    expect(seen.consoleErrors).toEqual([]);
    expect(seen.pageErrors).toEqual([]);
    expect(seen.foreignRequests).toEqual([]);
  });

  test('tries quotes as they are, then with a parameter and a header', async () => {
    const { page } = await openPage(docs);
    await authorize(page, TOKEN);
    const quotes = await openOperation(page, QUOTE);
    expect((await execute(quotes)).status).toBe('200');

    const { data } = await service.getJson(`${QUOTE}?limit=1`);
    const instant = new Date(Date.now() + 60_000).toUTCString();
    await findField(quotes, 'symbol').fill(data[0].symbol);
    await findField(quotes, 'Accept-Datetime').fill(instant);
    await findField(quotes, 'Prefer').fill('count=exact');
    const asking = page.waitForRequest((request) => request.url().includes('symbol='));
    const { status, body, headers } = await execute(quotes);
    expect(new URL((await asking).url()).searchParams.get('symbol')).toBe(data[0].symbol);
    expect(status).toBe('200');
    expect(JSON.parse(body)).toEqual(await service.getJson(`${QUOTE}?symbol=${data[0].symbol}`));
    expect(headers).toMatch(/memento-datetime: .+GMT/);
    expect(headers).toMatch(/tenor-total-count: \d+/);
  });

  test('asks for the form that is chosen, and gives it as a file', async () => {
    const { page, ...seen } = await openPage(docs);
    await authorize(page, TOKEN);
    const quotes = await openOperation(page, QUOTE);
    for (const name of ['csv', 'parquet'] as const) {
      const accept = RESPONSE_FORMATS[name].mediaType;
      await quotes.locator('select[aria-label="Media Type"]').first().selectOption(accept);
      expect((await pressExecute(quotes)).status).toBe('200');
      const downloading = page.waitForEvent('download');
      await quotes.locator('.live-responses-table a[download]').click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(`quotes.${name}`);
      const answer = await service.request(`${QUOTE}?type=all&limit=100`, { accept });
      expect(readFileSync(await download.path())).toEqual(Buffer.from(await answer.arrayBuffer()));
    }
    expect(seen.consoleErrors).toEqual([]);
  });

  test('shows what a wrong token is answered with', async () => {
    const { page } = await openPage(docs);
    await authorize(page, 'wrong');
    const { status, body, headers } = await execute(await openOperation(page, SERIES));
    expect(status).toContain('401');
    expect(JSON.parse(body)).toEqual({ status: 'error', message: 'unauthorized_request' });
    expect(headers).toContain('www-authenticate: Bearer');
  });

  test('keeps the token for the tab alone, and out of every address', async () => {
    const { page, requests } = await openPage(docs);
    await authorize(page, TOKEN);
    await page.reload();
    expect((await execute(await openOperation(page, SERIES))).status).toBe('200');
    expect(requests.filter((address) => address.includes(TOKEN))).toEqual([]);
    expect(page.url()).not.toContain(TOKEN);

    const otherTab = await page.context().newPage();
    await otherTab.goto(docs);
    expect((await execute(await openOperation(otherTab, SERIES))).status).toContain('401');
  });

  test('forgets the token when told to', async () => {
    const { page } = await openPage(docs);
    await authorize(page, TOKEN);
    await page.locator('button.authorize').click();
    await page.locator('.modal-ux button', { hasText: 'Logout' }).click();
    await page.reload();
    expect((await execute(await openOperation(page, SERIES))).status).toContain('401');
  });

  test('opens the operation that a link leads to', async () => {
    const { page } = await openPage(docs);
    await (await openOperation(page, SERIES)).locator('.execute').waitFor();
    const link = page.url();
    expect(link).toContain('branchless-banking-agents');
    const { page: followed } = await openPage(link);
    await findOperation(followed, SERIES).locator('.execute').waitFor();
    expect(await followed.locator('.execute').count()).toBe(1);
  });

  test('can be used with the keyboard alone', async () => {
    const { page } = await openPage(docs);
    await findOperation(page, QUOTE).waitFor();
    await tabTo(page, page.locator('button.authorize'));
    await page.keyboard.press('Enter');
    await tabTo(page, page.locator('.modal-ux input'));
    await page.keyboard.type(TOKEN);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Close', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, findOperation(page, QUOTE).locator('.opblock-summary-control'));
    await page.keyboard.press('Enter');
    await tabTo(page, findOperation(page, QUOTE).locator('.execute'));
    await page.keyboard.press('Enter');
    expect((await readResponse(findOperation(page, QUOTE))).status).toBe('200');
  });

  test('fits a phone, and can be tried there', async () => {
    const { page } = await openPage(docs, { viewport: { width: 360, height: 640 } });
    await authorize(page, TOKEN);
    const quotes = await openOperation(page, QUOTE);
    expect((await findField(quotes, 'symbol').boundingBox())?.width).toBeGreaterThan(270);
    expect((await execute(quotes)).status).toBe('200');
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
  });

  test('is dark for those who like it so', async () => {
    const background = async (colorScheme: 'light' | 'dark') => {
      const { page } = await openPage(docs, { colorScheme });
      const colour = 'getComputedStyle(document.documentElement).backgroundColor';
      const [red = 0] = (await page.evaluate<string>(colour)).match(/\d+/g)?.map(Number) ?? [];
      return red;
    };
    expect(await background('light')).toBeGreaterThan(200);
    expect(await background('dark')).toBeLessThan(50);
  });
});
