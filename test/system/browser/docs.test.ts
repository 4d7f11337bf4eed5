import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { RESPONSE_FORMATS } from '../../../src/catalogue/model/response-format.ts';
import {
  allowErrors,
  describeInBrowser,
  getActivity,
  openPage,
  tabTo,
} from '../../support/browser.ts';
import { createFilledStore } from '../../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../../support/test-server.ts';
import {
  authorize,
  execute,
  findField,
  findOperation,
  logOut,
  openOperation,
  pressExecute,
  readResponse,
} from './docs-page.ts';

const QUOTE = '/2.0/bnb/quote';
const SERIES = '/3.0/alternate/branchless-banking-agents';

describeInBrowser('the API reference at /docs', () => {
  let server: TestServer;
  let docs: string;
  beforeAll(async () => {
    server = await startTestServer(await createFilledStore());
    docs = `${server.address}/docs`;
  });
  afterAll(() => server.stop());

  test('lists every operation of our OpenAPI document, and of no other that its URL names', async () => {
    const page = await openPage(`${docs}?url=https://elsewhere.example/a.json`);
    await findOperation(page, '/2.0/bnb/quote').waitFor();
    expect(await page.title()).toBe('Tenor: API reference');
    const listed = await page
      .locator('.opblock-summary-path')
      .evaluateAll((elements) => elements.map((element) => element.getAttribute('data-path')));
    const { paths } = await server.getJson('/openapi.json');
    expect(listed.toSorted()).toEqual(Object.keys(paths).toSorted());
    expect(getActivity(page).requests).toContain(`${server.address}/openapi.json`);
    // A stream never ends, and its response would never be shown.
    for (const [path, buttons] of [
      ['/events', 0],
      ['/revisions', 1],
    ] as const) {
      const operation = await openOperation(page, path);
      await operation.locator('.opblock-body').waitFor();
      expect([path, await operation.locator('.execute').count()]).toEqual([path, buttons]);
    }
  });

  test('executes requests with the token that was entered, with parameters, headers and formats', async () => {
    // One page for all: Swagger UI takes seconds to render.
    const page = await openPage(docs);
    await authorize(page, TOKEN);
    const series = await execute(await openOperation(page, SERIES));
    expect(series.status).toBe('200');
    expect(JSON.parse(series.body)).toEqual(await server.getJson(SERIES));

    const quotes = await openOperation(page, QUOTE);
    expect((await execute(quotes)).status).toBe('200');
    for (const name of ['csv', 'parquet'] as const) {
      const accept = RESPONSE_FORMATS[name].mediaType;
      await quotes.locator('select[aria-label="Media Type"]').first().selectOption(accept);
      expect((await pressExecute(quotes)).status).toBe('200');
      const downloading = page.waitForEvent('download');
      await quotes.locator('.live-responses-table a[download]').click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(`quotes.${name}`);
      const response = await server.request(`${QUOTE}?type=all&limit=100`, { accept });
      expect(readFileSync(await download.path())).toEqual(
        Buffer.from(await response.arrayBuffer()),
      );
    }

    const json = RESPONSE_FORMATS.json.mediaType;
    await quotes.locator('select[aria-label="Media Type"]').first().selectOption(json);
    const { data } = await server.getJson(`${QUOTE}?limit=1`);
    const instant = new Date(Date.now() + 60_000).toUTCString();
    await findField(quotes, 'symbol').fill(data[0].symbol);
    await findField(quotes, 'Accept-Datetime').fill(instant);
    await findField(quotes, 'Prefer').fill('count=exact');
    const requesting = page.waitForRequest((request) => request.url().includes('symbol='));
    const { status, body, headers } = await execute(quotes);
    expect(new URL((await requesting).url()).searchParams.get('symbol')).toBe(data[0].symbol);
    expect(status).toBe('200');
    expect(JSON.parse(body)).toEqual(await server.getJson(`${QUOTE}?symbol=${data[0].symbol}`));
    expect(headers).toMatch(/memento-datetime: .+GMT/);
    expect(headers).toMatch(/tenor-total-count: \d+/);
  });

  test('opens the operation of its URL, and has a token for the tab alone until logout, out of every URL', async () => {
    // One page for all: Swagger UI takes seconds to render.
    const page = await openPage(docs);
    allowErrors(page, /401/);
    await (await openOperation(page, SERIES)).locator('.execute').waitFor();
    expect(page.url()).toContain('branchless-banking-agents');
    await authorize(page, 'wrong');
    const refused = await execute(findOperation(page, SERIES));
    expect(refused.status).toContain('401');
    expect(JSON.parse(refused.body)).toEqual({ status: 'error', message: 'unauthorized_request' });
    expect(refused.headers).toContain('www-authenticate: Bearer');
    expect(refused.headers).toContain('invalid_token');

    await logOut(page);
    await authorize(page, TOKEN);
    await page.reload();
    const linked = findOperation(page, SERIES);
    await linked.locator('.execute').waitFor();
    expect(await page.locator('.execute').count()).toBe(1);
    expect((await execute(linked)).status).toBe('200');
    const { requests } = getActivity(page);
    expect(requests.filter((url) => url.includes(TOKEN))).toEqual([]);
    expect(page.url()).not.toContain(TOKEN);

    const otherTab = await page.context().newPage();
    await otherTab.goto(page.url());
    const elsewhere = await execute(await openOperation(otherTab, SERIES));
    expect(elsewhere.status).toContain('401');
    expect(elsewhere.headers).not.toContain('invalid_token');
    await otherTab.close();

    await logOut(page);
    await page.reload();
    const again = await execute(await openOperation(page, SERIES));
    expect(again.status).toContain('401');
    expect(again.headers).not.toContain('invalid_token');
  });

  test('can be used with the keyboard alone', async () => {
    const page = await openPage(docs);
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

  test('fits a phone, executes requests there, and follows the color scheme of the system', async () => {
    const page = await openPage(docs, {
      viewport: { width: 360, height: 640 },
      colorScheme: 'dark',
    });
    await authorize(page, TOKEN);
    const quotes = await openOperation(page, QUOTE);
    expect((await findField(quotes, 'symbol').boundingBox())?.width).toBeGreaterThan(270);
    expect((await execute(quotes)).status).toBe('200');
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    await page.locator('html.dark-mode').waitFor();
    const color = 'getComputedStyle(document.documentElement).backgroundColor';
    const readBackground = async () => Number(/\d+/.exec(await page.evaluate<string>(color))?.[0]);
    expect(await readBackground()).toBeLessThan(50);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor();
    expect(await readBackground()).toBeGreaterThan(200);
  });
});
