import { beforeAll, expect, test } from 'bun:test';
import type { Quote } from '../../../../src/catalogue/datasets/quotes.ts';
import type { CurveRecord } from '../../../../src/client/generated.ts';
import { describeInBrowser, tabTo } from '../../../support/browser.ts';
import {
  expectLinearScale,
  openExplorer,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';
import { readQuotes } from './market-page.ts';
import { findPanel } from './page-helpers.ts';

describeInBrowser('the curve of the market view', () => {
  const service = useSampleServer();
  let latest: readonly Quote[];
  let monthBefore: readonly Quote[];
  beforeAll(async () => {
    latest = await readQuotes(service);
    monthBefore = await readQuotes(service, 'date=2026-05-29');
  });

  /** The curves of the newest day and of a month before. */
  const readCurves = async (query: string): Promise<CurveRecord[]> =>
    (await service.getJson(`/2.0/bnb/curve?date=2026-06-30,2026-05-29&${query}`)).data;

  test('draws every yield to scale, that of a month before hollow, and a curve through them', async () => {
    const page = await openExplorer(service);
    await waitUntilLoaded(page);
    await page.locator('.point.comparison').first().waitFor();
    for (const [day, ghost] of [
      [latest, ':not(.comparison)'],
      [monthBefore, '.comparison'],
    ] as const) {
      const drawn = await page.locator(`.point${ghost}`).evaluateAll((points) =>
        points.map((point) => {
          const [, y] = /translate\(\S+ (\S+)\)/.exec(point.getAttribute('transform') ?? '') ?? [];
          return [point.getAttribute('data-key'), y];
        }),
      );
      const heights = new Map(drawn.map(([key, y]) => [key, Number(y)]));
      const withYield = day.filter(({ ytm }) => ytm !== 0);
      expect(heights.size).toBe(withYield.length);
      const keyOf = ({ date, symbol }: Quote) => `${date} ${symbol}`;
      expectLinearScale(
        withYield.map((quote) => heights.get(keyOf(quote)) ?? Number.NaN),
        withYield.map(({ ytm }) => ytm),
      );
    }
    const fitted: unknown[] = [];
    for (const market of ['government', 'corporate']) {
      const curves = await readCurves(`market=${market}&tenors=2Y`);
      fitted.push(...curves.filter(({ points }) => points[0]?.yield !== null));
    }
    expect(fitted.length).toBeGreaterThanOrEqual(2);
    expect(await page.locator('.fitted').count()).toBe(fitted.length);
    // It would hide the points next to a line.
    expect(await page.locator('.line-outline').count()).toBe(0);
  });

  test('states the 10-year yield, its change and the slope in a sentence, the 5-year in a table', async () => {
    const page = await openExplorer(service);
    await waitUntilLoaded(page);
    const [now, then] = (await readCurves('tenors=2Y,5Y,10Y')).map(({ points }) =>
      points.map((point) => point.yield ?? Number.NaN),
    ) as [number[], number[]];
    const [two, five, ten] = now as [number, number, number];
    const change = (ten - (then[2] as number)) * 100;
    expect(await page.locator('.sentence').innerText()).toBe(
      `10-year ${ten.toFixed(2)} %, ${change < 0 ? 'down' : 'up'} ${Math.abs(change).toFixed(0)} bp ` +
        `since 29 May; 2s10s ${((ten - two) * 100).toFixed(0)} bp.`,
    );
    const row = findPanel(page, 'Key tenors and slopes').locator('tr', { hasText: /^5Y/ });
    expect(await row.innerText()).toContain(five.toFixed(2));
    const alone = await openExplorer(service, 'view=market&against=none');
    await waitUntilLoaded(alone);
    expect(await alone.locator('.sentence').innerText()).toBe(
      `10-year ${ten.toFixed(2)} %; 2s10s ${((ten - two) * 100).toFixed(0)} bp.`,
    );
  });

  test('shows zero rates in one click, the fit in one, and the slope since January in none', async () => {
    const page = await openExplorer(service, 'view=market&against=none', {
      viewport: { width: 1440, height: 900 },
    });
    await waitUntilLoaded(page);
    const chart = await page.locator('.curve .plot').boundingBox();
    expect((chart?.y ?? Infinity) + (chart?.height ?? 0)).toBeLessThan(900);
    const yieldPath = await page.locator('.fitted').first().getAttribute('d');
    await page.getByRole('button', { name: 'Zero', exact: true }).click();
    await page.waitForURL(/rate=zero/);
    await page.locator('.line-label', { hasText: 'Government zero' }).waitFor();
    expect(await page.locator('.fitted').first().getAttribute('d')).not.toBe(yieldPath);
    const { data } = await service.getJson('/2.0/bnb/curve?date=2025-12-31,2026-06-30');
    const [now, then] = (data as CurveRecord[]).map(({ points }) => {
      const [two, ten] = ['2Y', '10Y'].map((name) => points.find(({ tenor }) => tenor === name));
      return ((ten?.zero ?? Number.NaN) - (two?.zero ?? Number.NaN)) * 100;
    }) as [number, number];
    await page.getByText('How the lines are fitted').click();
    const { used, leftOut, rmse } = data[0] as CurveRecord;
    const fit = await page.locator('.fit p', { hasText: 'Government: ' }).innerText();
    expect(fit).toContain(`${used} securities used, ${leftOut.length} left out`);
    expect(fit).toContain(`${rmse?.toFixed(2)} bp`);
    const rates = page.getByRole('region', { name: 'Key tenors and slopes' });
    await rates.getByRole('button', { name: '5Y', exact: true }).click();
    await page.getByRole('region', { name: '5Y through time' }).waitFor();
    await rates.getByRole('button', { name: '2s10s', exact: true }).click();
    const history = page.getByRole('region', { name: '2s10s through time' });
    const format = (bp: number) => `${bp < 0 ? '−' : '+'}${Math.abs(bp).toFixed(0)} bp`;
    await history.getByText(`${format(now)} on 30 Jun 2026`).waitFor();
    await history.getByText(`${format(now - then)} since 31 Dec 2025`).waitFor();
    const slope = await rates.locator('tr', { hasText: '2s10s' }).innerText();
    expect(slope).toContain(format(now));
    expect(slope).toContain(format(now - then).replace(' bp', ''));
    // As after dragging over a part of the chart.
    await page.goto(`${service.address}/?view=market&from=2026-03-02&to=2026-05-29`);
    await history.getByText('since 2 Mar 2026').waitFor();
    await history.getByText('on 29 May 2026').waitFor();
    await history.getByRole('button', { name: 'Since January', exact: true }).click();
    await history.getByText('since 31 Dec 2025').waitFor();
  });

  test('compares with a month and a year ago in two clicks, with another day, or with none', async () => {
    const page = await openExplorer(service);
    const movers = (since: string) =>
      page.getByRole('heading', { name: `Movers since ${since}`, exact: true });
    const earlierCurves = page.locator('.fitted[data-name=Government].comparison');
    await movers('29 May').waitFor();
    expect(await page.locator('.point.comparison').count()).toBeGreaterThan(0);
    expect(await page.locator('.line-label').allTextContents()).toContain('29 May 2026');
    const legend = page.locator('.curve .legend li');
    const findMark = (name: string, mark: string) =>
      legend.filter({ hasText: name }).locator(mark).count();
    expect(await findMark('29 May 2026', '.swatch-point.comparison')).toBe(1);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'Year', exact: true }).click();
    await page.waitForURL(/against=month%2Cyear/);
    await earlierCurves.nth(1).waitFor();
    expect(await findMark('29 May 2026', '.swatch-line.comparison:not(.second)')).toBe(1);
    expect(await findMark('30 Jun 2025', '.swatch-line.comparison.second')).toBe(1);
    const labels = await page.locator('.line-label').allTextContents();
    expect(labels.toSorted()).toEqual(['Corporate yield', 'Government yield']);
    expect(await page.locator('.point.comparison').count()).toBe(0);
    await movers('29 May').waitFor();
    await page.getByRole('button', { name: 'Month', exact: true }).click();
    await movers('30 Jun 2025').waitFor();
    await page.getByLabel('Compare with the day').fill('2024-01-15');
    await movers('15 Jan 2024').waitFor();
    expect(new URL(page.url()).searchParams.get('against')).toBe('2024-01-15');
    await page.getByLabel('Compare with the day').fill('');
    await page.waitForURL(/against=none/);
    await page.locator('.movers').waitFor({ state: 'detached' });
    expect(await page.locator('.comparison').count()).toBe(0);
    await page.goBack();
    await movers('15 Jan 2024').waitFor();
  });

  test('shows a tooltip on the first tap of a point, and opens the security on the second', async () => {
    const page = await openExplorer(service, 'view=market&against=none&type=corporate', {
      hasTouch: true,
      viewport: { width: 360, height: 740 },
    });
    await waitUntilLoaded(page);
    const { symbol, date } = latest.find(({ type }) => type === 'corporate') as Quote;
    const point = page.locator(`.point[data-key="${date} ${symbol}"]`);
    await point.tap({ force: true });
    await page.locator('.tooltip', { hasText: symbol }).waitFor();
    await point.tap({ force: true });
    await page.waitForURL((url) => url.searchParams.get('symbol') === symbol);
  });

  test('shows tooltips by keyboard, and opens the selected security', async () => {
    const page = await openExplorer(service, 'view=market&type=corporate&against=none');
    const chart = page.getByRole('slider', { name: /^Yields of/ });
    await tabTo(page, chart);
    const inOrder = latest
      .filter(({ type, ytm }) => type === 'corporate' && ytm !== 0)
      .toSorted((a, b) => a.maturityYears - b.maturityYears || a.ytm - b.ytm);
    for (const { symbol, ytm } of inOrder) {
      await page.keyboard.press('ArrowRight');
      await page.locator(`[aria-valuetext^="${symbol},"]`).waitFor();
      expect(await chart.getAttribute('aria-valuetext')).toContain(`Yield ${ytm.toFixed(3)} %`);
    }
    await page.keyboard.press('Enter');
    const last = inOrder.at(-1)?.symbol ?? '';
    await page.waitForURL((url) => url.searchParams.get('symbol') === last);
    await page.goBack();
    await page.getByRole('heading', { name: /^Market/ }).waitFor();
    await page.getByRole('link', { name: last, exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'security');
  });

  test('stays at a point when the quotes of the compared day arrive', async () => {
    const page = await openExplorer(service, 'view=market&type=corporate&against=none');
    const arrival = Promise.withResolvers<void>();
    await page.route(/bnb\/quote.*date=/, async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await page.goto(`${service.address}/?view=market&type=corporate`);
    const chart = page.getByRole('slider', { name: /^Yields of/ });
    await chart.press('ArrowRight');
    const { symbol } = latest
      .filter(({ type, ytm }) => type === 'corporate' && ytm !== 0)
      .toSorted((a, b) => a.maturityYears - b.maturityYears || a.ytm - b.ytm)[0] as Quote;
    await page.locator('.tooltip', { hasText: symbol }).waitFor();
    arrival.resolve();
    await page.locator('.point.comparison').first().waitFor();
    expect(await page.locator('.tooltip').innerText()).toContain(`${symbol}, 30 Jun 2026`);
    expect(await chart.getAttribute('aria-valuetext')).toStartWith(`${symbol}, 30 Jun 2026`);
  });

  test('shows the quote of a hovered point, and opens its security on a click', async () => {
    const page = await openExplorer(service, 'view=market&against=none');
    await waitUntilLoaded(page);
    const { symbol, date, bidPrice, askPrice } = latest.find(
      ({ type }) => type === 'corporate',
    ) as Quote;
    const point = page.locator(`.point[data-key="${date} ${symbol}"]`);
    await point.hover({ force: true });
    const readout = page.locator('.tooltip');
    await readout.waitFor();
    expect(await readout.innerText()).toContain(symbol);
    expect(await readout.innerText()).toContain(`Bid\n${bidPrice.toFixed(4)} per 100`);
    expect(await readout.innerText()).toContain(`Ask\n${askPrice.toFixed(4)} per 100`);
    await point.click({ force: true });
    await page.waitForURL((url) => url.searchParams.get('symbol') === symbol);
  });
});
