import { beforeAll, expect, test } from 'bun:test';
import type { Quote } from '../../../../src/catalogue/datasets/quotes.ts';
import { describeInBrowser } from '../../../support/browser.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';
import { readQuoteRows, readQuotes } from './market-page.ts';
import { downloadFile } from './page-helpers.ts';

describeInBrowser('the quotes of the market view', () => {
  const service = useSampleServer();
  let latest: readonly Quote[];
  let monthBefore: readonly Quote[];
  beforeAll(async () => {
    latest = await readQuotes(service);
    monthBefore = await readQuotes(service, 'date=2026-05-29');
  });

  test('shows every quote of the newest day in the table, with the values of the API', async () => {
    const page = await openExplorer(service);
    await page.getByRole('heading', { name: 'Market, 30 Jun 2026' }).waitFor();
    await page.getByRole('heading', { name: `${latest.length} quotes`, exact: true }).waitFor();
    const rows = await readQuoteRows(page);
    expect(rows.length).toBe(latest.length);
    const shown = new Map(rows.map((row) => [row.Symbol, row]));
    for (const { symbol, ytm, lastPrice, maturityYears } of latest) {
      expect(shown.get(symbol)).toMatchObject({
        Yield: ytm.toFixed(3),
        'Last price': lastPrice.toFixed(4),
        'To maturity':
          maturityYears < 1 / 12 ? describeDays(maturityYears) : maturityYears.toFixed(2),
      });
    }
    const corporates = latest.filter(({ type }) => type === 'corporate');
    const path = `/2.0/bnb/analytics?symbol=${corporates.map(({ symbol }) => symbol)}`;
    const { data } = await service.getJson(path);
    expect(data.length).toBe(corporates.length);
    for (const { symbol, spread } of data) {
      expect(Number(shown.get(symbol)?.['Spread bp'])).toBeCloseTo(spread, 0);
    }
  });

  test('lists the yields that moved most since the compared day, without those near maturity', async () => {
    const page = await openExplorer(service);
    await waitUntilLoaded(page);
    const earlier = new Map(monthBefore.map(({ symbol, ytm }) => [symbol, ytm]));
    const changes = latest
      .filter(({ symbol, ytm, maturityDate }) => {
        return ytm !== 0 && earlier.get(symbol) && maturityDate >= '2026-07-30';
      })
      .map(({ symbol, ytm }) => ({ symbol, change: ytm - (earlier.get(symbol) as number) }))
      .toSorted((a, b) => b.change - a.change);
    const movers = page.getByRole('table', { name: 'Yields that rose and fell most since 29 May' });
    const symbols = changes.map(({ symbol }) => symbol);
    expect(await movers.locator('tbody th').allInnerTexts()).toEqual([
      ...symbols.slice(0, 5),
      ...symbols.slice(-5),
    ]);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'Month', exact: true }).click();
    await page.locator('.movers').waitFor({ state: 'detached' });
  });

  test('sorts T-bills by their price change since last month', async () => {
    const page = await openExplorer(service);
    await page.getByRole('button', { name: 'T-bills' }).click();
    await page.getByRole('button', { name: /^Change price/ }).click();
    await page.waitForURL(/type=tbill.*sort=lastPriceChange/);
    const earlier = new Map(monthBefore.map((quote) => [quote.symbol, quote.lastPrice]));
    const changes = latest
      .filter(({ type, symbol }) => type === 'tbill' && earlier.has(symbol))
      .map(({ symbol, lastPrice }) => [symbol, lastPrice - (earlier.get(symbol) ?? 0)] as const)
      .toSorted(([, a], [, b]) => a - b);
    const [first] = await readQuoteRows(page);
    expect(first?.Symbol).toBe(changes[0]?.[0] as string);
    expect(first?.['Change price since 29 May']).toBe(
      `${(changes[0]?.[1] ?? 0) > 0 ? '+' : '−'}${Math.abs(changes[0]?.[1] ?? 0).toFixed(4)}`,
    );
    await page.getByRole('button', { name: /^Change bp/ }).click();
    await page.getByRole('button', { name: /^Change bp/ }).click();
    await page.locator('th[aria-sort=descending]').waitFor();
    const points = (await readQuoteRows(page)).map((row) => row['Change bp since 29 May'] ?? '');
    const numbers = points
      .filter((text) => text !== '–')
      .map((text) => Number(text.replace('−', '-')));
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    expect(points.slice(numbers.length).every((text) => text === '–')).toBe(true);
  });

  test('sorts and shows the columns that a link and the browser name by their former names', async () => {
    const page = await openExplorer(service);
    await page.evaluate(
      "localStorage.setItem('tenor-columns-market-quotes', 'years,points,price')",
    );
    await page.goto(`${service.address}/?view=market&sort=-points`);
    const [first] = await readQuoteRows(page);
    expect(Object.keys(first ?? {})).toEqual([
      ...['Symbol', 'Change bp since 29 May', 'To maturity', 'Change price since 29 May'],
    ]);
    expect(await page.locator('th[aria-sort=descending]').innerText()).toContain('bp since');
  });

  test('says that no yield moved, and gives changes as many decimals as the figures have', async () => {
    const page = await openExplorer(service, 'view=market&against=none');
    await page.route(/\/2\.0\/bnb\/quote/, (route) => {
      const isEarlier = route.request().url().includes('date=');
      const change = isEarlier ? { date: '2026-05-29', lastPrice: 99.5 } : { lastPrice: 99.75 };
      const data = latest.map((quote) => ({ ...quote, ytm: 11.25, ...change }));
      return route.fulfill({ json: { status: 'ok', data } });
    });
    await page.goto(`${service.address}/?view=market`);
    await page.getByText('No yield with more than a month to maturity moved.').waitFor();
    const [first] = await readQuoteRows(page);
    expect(first).toMatchObject({
      'Change bp since 29 May': '0',
      'Change price since 29 May': '+0.25',
    });
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('filters by maturity and by symbol or ISIN as it is typed, and keeps both in the URL', async () => {
    const page = await openExplorer(service);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Maturity', { exact: true }).selectOption('3-5');
    const some = latest.filter(({ maturityYears }) => maturityYears >= 3 && maturityYears < 5);
    await page.getByRole('heading', { name: `${some.length} of ` }).waitFor();
    const isin = some[0]?.isin ?? '';
    await page.getByLabel('Symbol or ISIN').pressSequentially(isin.toLowerCase());
    await page.getByRole('heading', { name: '1 of ' }).waitFor();
    expect((await readQuoteRows(page)).map((row) => row.Symbol)).toEqual([
      some[0]?.symbol as string,
    ]);
    await page.waitForURL(({ searchParams }) => searchParams.get('find') === isin.toLowerCase());
    expect(new URL(page.url()).searchParams.get('years')).toBe('3-5');
    await page.reload();
    await page.getByRole('heading', { name: '1 of ' }).waitFor();
    await page.getByText(`Only 3 to 5 years, “${isin.toLowerCase()}”.`).waitFor();
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Symbol or ISIN').fill('nothing has this');
    await page.getByText('No matching quotes').waitFor();
    await page.getByText('No quote of this day matches the filters').waitFor();
    expect(await page.locator('.curve .point').count()).toBe(0);
    expect(await page.locator('.fitted').count()).toBeGreaterThan(1);
    await page.getByRole('slider', { name: /^Yields of/ }).press('ArrowRight');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('heading', { name: `${latest.length} quotes`, exact: true }).waitFor();
  });

  test('shows no value if a price is not quoted or a yield not computed', async () => {
    const page = await openExplorer(service, 'view=market&against=none&sort=ytm');
    const bare = { ...latest[0], symbol: 'BARE', lastPrice: 0, ytm: 0, duration: 0 };
    await page.route(/\/2\.0\/bnb\/quote/, (route) =>
      route.fulfill({ json: { status: 'ok', data: [bare, ...latest] } }),
    );
    await page.reload();
    const rows = await readQuoteRows(page);
    expect(rows.at(-1)).toMatchObject({ Symbol: 'BARE', Yield: '–', 'Last price': '–' });
    await page.getByText('Not drawn, without a yield: 1 quote.').waitFor();
    expect(await page.locator('.point').count()).toBe(latest.length);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('exports files with the values of the API', async () => {
    const page = await openExplorer(service, 'view=market&type=tbill');
    const board = page.getByRole('region', { name: /quotes$/ }).first();
    const csv = await downloadFile(page, board, 'CSV');
    expect(csv.name).toBe('quotes-2026-06-30-complete.csv');
    const target = '/2.0/bnb/quote?date=2026-06-30&type=tbill&limit=10000';
    const response = await service.request(target, { accept: 'text/csv' });
    expect(csv.bytes.toString()).toBe(await response.text());
    const xlsx = await downloadFile(page, board, 'XLSX');
    expect(xlsx.name).toBe('quotes-2026-06-30-complete.xlsx');
    expect([...xlsx.bytes.slice(0, 2)]).toEqual([0x50, 0x4b]);
    const curve = page.getByRole('region', { name: /^Yield curve/ });
    const png = await downloadFile(page, curve, 'PNG');
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(png.bytes.readUInt32BE(16)).toBeGreaterThan(600);
  });
});

/** `2 days`. */
function describeDays(years: number): string {
  const days = Math.round(years * 365);
  return `${days} day${days === 1 ? '' : 's'}`;
}
