import { beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import type { CurveRecord } from '../../../../clients/typescript/src/generated.ts';
import type { Quote } from '../../../../src/catalogue/datasets/quotes.ts';
import { quotes as declared } from '../../../../src/catalogue/datasets/quotes.ts';
import { describeInBrowser, tabTo } from '../../../support/browser.ts';
import { retryUntil } from '../../../support/eventually.ts';
import {
  expectLinearScale,
  openExplorer,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';

import { downloadFile, findPanel } from './page-helpers.ts';

describeInBrowser('the market view', () => {
  const service = useSampleServer();
  let latest: readonly Quote[];
  let monthBefore: readonly Quote[];
  beforeAll(async () => {
    latest = await quotesOf('limit=10000');
    monthBefore = await quotesOf('date=2026-05-29&limit=10000');
  });

  const quotesOf = async (query: string): Promise<Quote[]> =>
    (await service.getJson(`/2.0/bnb/quote?${query}`)).data;

  /** The curves of the newest day and of a month before. */
  const readCurves = async (query: string): Promise<CurveRecord[]> =>
    (await service.getJson(`/2.0/bnb/curve?date=2026-06-30,2026-05-29&${query}`)).data;

  test('shows every quote of the newest day in the table, with the values of the API', async () => {
    const page = await openExplorer(service);
    await page.getByRole('heading', { name: 'Market, 30 Jun 2026' }).waitFor();
    await page
      .getByRole('heading', { name: `${latest.length} of ${latest.length} quotes` })
      .waitFor();
    const rows = await cells(page);
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
    const readSymbols = (name: string) =>
      page.getByRole('table', { name }).locator('tbody th').allInnerTexts();
    const symbols = changes.map(({ symbol }) => symbol);
    expect(await readSymbols('Yields that rose most since 29 May')).toEqual(symbols.slice(0, 5));
    expect(await readSymbols('Yields that fell most since 29 May')).toEqual(
      symbols.toReversed().slice(0, 5),
    );
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'Month', exact: true }).click();
    await page.locator('.movers').waitFor({ state: 'detached' });
  });

  test('sorts T-bills by their price change since last month', async () => {
    const page = await openExplorer(service);
    await page.getByRole('button', { name: 'T-bills' }).click();
    await page.getByRole('button', { name: /^Change price/ }).click();
    await page.waitForURL(/type=tbill.*sort=price|sort=price.*type=tbill/);
    const earlier = new Map(monthBefore.map((quote) => [quote.symbol, quote.lastPrice]));
    const changes = latest
      .filter(({ type, symbol }) => type === 'tbill' && earlier.has(symbol))
      .map(({ symbol, lastPrice }) => [symbol, lastPrice - (earlier.get(symbol) ?? 0)] as const)
      .toSorted(([, a], [, b]) => a - b);
    const [first] = await cells(page);
    expect(first?.Symbol).toBe(changes[0]?.[0] as string);
    expect(first?.['Change price since 29 May']).toBe(
      `${(changes[0]?.[1] ?? 0) > 0 ? '+' : '−'}${Math.abs(changes[0]?.[1] ?? 0).toFixed(4)}`,
    );
    await page.getByRole('button', { name: /^Change bp/ }).click();
    await page.getByRole('button', { name: /^Change bp/ }).click();
    await page.locator('th[aria-sort=descending]').waitFor();
    const points = (await cells(page)).map((row) => row['Change bp since 29 May'] ?? '');
    const numbers = points
      .filter((text) => text !== '–')
      .map((text) => Number(text.replace('−', '-')));
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    expect(points.slice(numbers.length).every((text) => text === '–')).toBe(true);
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
    expect((await cells(page)).map((row) => row.Symbol)).toEqual([some[0]?.symbol as string]);
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
    await page.getByRole('heading', { name: `${latest.length} of ${latest.length}` }).waitFor();
  });

  test('moves to another day by slider, by keyboard and by date, also to days without quotes', async () => {
    const page = await openExplorer(service);
    await page.getByRole('button', { name: 'Options' }).click();
    const day = page.getByRole('slider', { name: 'Day', exact: true });
    await day.waitFor();
    const [before, after] = ['Day before', 'Day after'].map((name) =>
      page.getByRole('button', { name, exact: true }).first(),
    ) as [Locator, Locator];
    const readSteps = async () => [
      await before.isEnabled(),
      await after.isEnabled(),
      new URL(page.url()).searchParams.get('date'),
    ];
    expect(await readSteps()).toEqual([true, false, null]);
    await before.click();
    await page.getByRole('heading', { name: 'Market, 29 Jun 2026' }).waitFor();
    expect(await readSteps()).toEqual([true, true, '2026-06-29']);
    // At the end it is the newest day again, and follows what is published later.
    await after.click();
    await page.getByRole('heading', { name: 'Market, 30 Jun 2026' }).waitFor();
    expect(await readSteps()).toEqual([true, false, null]);
    await day.focus();
    for (const [key, shown] of [
      ['ArrowLeft', '29 Jun 2026'],
      ['ArrowRight', '30 Jun 2026'],
      ['ArrowLeft', '29 Jun 2026'],
      ['ArrowLeft', '26 Jun 2026'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: `Market, ${shown}` }).waitFor();
      // The URL follows a moment after what is shown.
      await page.waitForURL(
        ({ searchParams }) => searchParams.has('date') === (shown !== '30 Jun 2026'),
      );
    }
    await page.keyboard.press('Home');
    await page.getByRole('heading', { name: 'Market, 3 Jul 2023' }).waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.get('date') === '2023-07-03');
    expect(await readSteps()).toEqual([false, true, '2023-07-03']);
    const oldest = await quotesOf('date=2023-07-03&limit=10000');
    await page.getByRole('heading', { name: `${oldest.length} of ${oldest.length}` }).waitFor();
    await page.getByLabel('Date', { exact: true }).fill('2026-06-28');
    await page.getByText('There are no quotes of 28 Jun 2026').waitFor();
    await page.getByRole('heading', { name: 'Market, 26 Jun 2026' }).waitFor();
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.getByRole('heading', { name: 'Market, 30 Jun 2026' }).waitFor();
    expect(new URL(page.url()).searchParams.has('date')).toBe(false);
  });

  test('follows the pointer that drags the slider away from the newest day', async () => {
    const page = await openExplorer(service);
    await waitUntilLoaded(page);
    await page.getByRole('button', { name: 'Options' }).click();
    const slider = page.getByRole('slider', { name: 'Day', exact: true });
    const { x, y, width, height } = (await slider.boundingBox()) as NonNullable<
      Awaited<ReturnType<Locator['boundingBox']>>
    >;
    await page.mouse.move(x + width - 8, y + height / 2);
    await page.mouse.down();
    const days: number[] = [];
    for (let step = 1; step <= 12; step++) {
      await page.mouse.move(x + width - 8 - step * 6, y + height / 2);
      days.push(Number(await slider.inputValue()));
    }
    await page.mouse.up();
    expect(days).toEqual(days.toSorted((a, b) => b - a));
    expect(new Set(days).size).toBeGreaterThan(10);
    expect((await slider.boundingBox())?.width).toBe(width);
  });

  test('plays week by week to the newest day, waits for each response, and stops', async () => {
    const page = await openExplorer(service, 'view=market&date=2026-06-05');
    await page.route(/date=2026-06/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 250));
      await route.continue();
    });
    await waitUntilLoaded(page);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.evaluate(`{
      globalThis.seen = [];
      globalThis.dates = new Set();
      globalThis.axes = new Set();
      const heading = document.querySelector('h1');
      const note = () => seen.push(heading.textContent);
      new MutationObserver(note).observe(heading, { subtree: true, characterData: true });
      const look = () => {
        if (!document.querySelector('.play').textContent.includes('Pause')) return;
        const slider = document.querySelector('input[type=range]').getAttribute('aria-valuetext');
        dates.add(heading.textContent.slice('Market, '.length) + ' is ' + slider);
        const ticks = [...document.querySelectorAll('.curve g:has(> .grid) text')];
        axes.add(ticks.map((tick) => tick.textContent).join());
        requestAnimationFrame(look);
      };
      // After the axes have grown to what the run will reach.
      new MutationObserver(look).observe(heading, { subtree: true, characterData: true });
    }`);
    await page.getByRole('button', { name: 'Play' }).waitFor();
    const days = ['12 Jun 2026', '19 Jun 2026', '26 Jun 2026', '30 Jun 2026'];
    expect(await page.evaluate('seen')).toEqual(days.map((day) => `Market, ${day}`));
    const dates = await page.evaluate<string[]>('[...dates]');
    expect(dates.toSorted()).toEqual(days.slice(0, dates.length).map((day) => `${day} is ${day}`));
    expect(dates.length).toBeGreaterThanOrEqual(3);
    expect(await page.evaluate('[...axes].length')).toBe(1);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('accepts a date that is typed key by key, and ignores one out of range', async () => {
    const page = await openExplorer(service);
    const date = page.getByLabel('Date', { exact: true });
    await date.focus();
    // The same whether the day or the month comes first.
    await page.keyboard.type('05052025');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Market, 5 May 2025' }).waitFor();
    expect(await date.evaluate((input) => input.matches(':focus'))).toBe(true);
    await page.keyboard.type('01011999');
    await page.keyboard.press('Enter');
    expect(await date.inputValue()).toBe('2025-05-05');
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Compare with the day').focus();
    const steps = await page.evaluate('history.length');
    await page.keyboard.type('03032025');
    await page.getByRole('heading', { level: 1 }).click();
    await page.getByRole('heading', { name: 'Movers since 3 Mar' }).waitFor();
    expect(await page.evaluate('history.length')).toBe((steps as number) + 1);
  });

  test('does not say that a day has no quotes while it is loading', async () => {
    const page = await openExplorer(service);
    await waitUntilLoaded(page);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/date=2026-06-29/, async (route) => {
      await promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Day before', exact: true }).first().click();
    await page.locator('.query-view[aria-busy=true]').waitFor();
    expect(await page.getByText(/There are no quotes of|is not a date/).count()).toBe(0);
    await page.getByRole('heading', { name: 'Market, 30 Jun 2026' }).waitFor();
    resolve();
    await page.getByRole('heading', { name: 'Market, 29 Jun 2026' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('shows no value where a price is not quoted or a yield not computed', async () => {
    const page = await openExplorer(service, 'view=market&against=none&sort=ytm');
    const bare = { ...latest[0], symbol: 'BARE', lastPrice: 0, ytm: 0, duration: 0 };
    await page.route(/\/2\.0\/bnb\/quote/, (route) =>
      route.fulfill({ json: { status: 'ok', data: [bare, ...latest] } }),
    );
    await page.reload();
    const rows = await cells(page);
    expect(rows.at(-1)).toMatchObject({ Symbol: 'BARE', Yield: '–', 'Last price': '–' });
    await page.getByText('1 quote has no yield and is not drawn').waitFor();
    expect(await page.locator('.point').count()).toBe(latest.length);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('points from a row to its point, and from a point to its row', async () => {
    const page = await openExplorer(service, 'view=market&against=none');
    await waitUntilLoaded(page);
    const inOrder = latest.toSorted((a, b) => a.maturityYears - b.maturityYears);
    const [first, last] = [inOrder[0], inOrder.at(-1)] as [Quote, Quote];
    await page.locator(`tr[data-key="${first.symbol}"]`).hover();
    await page.locator('.tooltip', { hasText: first.symbol }).waitFor();
    // The table waits until the pointer rests on a point.
    await page.evaluate(`{
      const setTimer = setTimeout;
      globalThis.rest = undefined;
      globalThis.setTimeout = (run, ms) => ms === 80 ? ((rest = run), 0) : setTimer(run, ms);
    }`);
    await page.locator(`.point[data-key="${last.date} ${last.symbol}"]`).hover({ force: true });
    await retryUntil(10_000, async () => expect(await page.evaluate('!rest')).toBe(false));
    const region = page.getByRole('region', { name: /^Quotes of/ });
    expect(await region.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await page.evaluate('rest()');
    const row = page.locator(`tr.highlighted[data-key="${last.symbol}"]`);
    await row.waitFor();
    expect(await page.locator('tr.highlighted[data-key]').count()).toBe(1);
    const [area, place] = await Promise.all([
      page.getByRole('region', { name: /^Quotes of/ }).boundingBox(),
      row.boundingBox(),
    ]);
    expect(place?.y ?? 0).toBeGreaterThan(area?.y ?? Infinity);
    expect(place?.y ?? Infinity).toBeLessThan((area?.y ?? 0) + (area?.height ?? 0));
  });

  test('shows zero rates in two clicks, the fit in one, and the slope since January in none', async () => {
    const page = await openExplorer(service, 'view=market&against=none', {
      viewport: { width: 1440, height: 900 },
    });
    await waitUntilLoaded(page);
    const chart = await page.locator('.curve .plot').boundingBox();
    expect((chart?.y ?? Infinity) + (chart?.height ?? 0)).toBeLessThan(900);
    const yieldPath = await page.locator('.fitted').first().getAttribute('d');
    await page.getByRole('button', { name: 'Options' }).click();
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
    const fit = page.getByRole('region', { name: 'Fit of the government curve' });
    const { used, leftOut, rmse } = data[0] as CurveRecord;
    expect(await fit.innerText()).toContain(String(used));
    expect(await fit.innerText()).toContain(`${rmse?.toFixed(2)} bp`);
    for (const { symbol } of leftOut) await fit.getByRole('link', { name: symbol }).waitFor();
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
  });

  test('says why there is no day to compare with', async () => {
    const page = await openExplorer(service, 'view=market&date=2023-07-03&against=year');
    await page.getByText('There are no quotes up to 3 Jul 2022').waitFor();
    await page.getByRole('heading', { name: 'Market, 3 Jul 2023' }).waitFor();
  });

  test('states the first day with quotes, and links to it', async () => {
    const page = await openExplorer(service, 'view=market&date=2020-01-01');
    await page.getByText('The first are of 3 Jul 2023').waitFor();
    await page.getByRole('button', { name: 'Show them' }).click();
    await page.getByRole('heading', { name: 'Market, 3 Jul 2023' }).waitFor();
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

  test('compares with a month and a year ago in two clicks, with another day, or with none', async () => {
    const page = await openExplorer(service);
    const movers = (since: string) =>
      page.getByRole('heading', { name: `Movers since ${since}`, exact: true });
    const earlierCurves = page.locator('.fitted[data-name=Government].comparison');
    await movers('29 May').waitFor();
    expect(await page.locator('.point.comparison').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'Year', exact: true }).click();
    await page.waitForURL(/against=month%2Cyear/);
    await earlierCurves.nth(1).waitFor();
    expect(await page.locator('.line-label').allTextContents()).toEqual(
      expect.arrayContaining(['29 May 2026', '30 Jun 2025', 'Government yield']),
    );
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

  test('exports code and files with the values of the API', async () => {
    const page = await openExplorer(service, 'view=market&type=tbill', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const board = page.getByRole('region', { name: /quotes$/ }).first();
    await choose(board, 'Share', 'Copy as curl');
    await board.getByText('Copied as curl').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain('/2.0/bnb/quote?date=2026-06-30&type=tbill&limit=10000');
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

  test('shows the market as of the chosen instant', async () => {
    const instant = '2026-06-20T00:00:00Z';
    const page = await openExplorer(service, `view=market&asof=${instant}`);
    const then = await service.getJson('/2.0/bnb/quote?limit=10000', {
      'accept-datetime': instant,
    });
    await page.getByRole('heading', { name: 'Market, 29 May 2026' }).waitFor();
    await page.getByRole('heading', { name: `of ${then.data.length} quotes` }).waitFor();
  });

  test('says what to do where nothing is published yet', async () => {
    const page = await openExplorer(service, 'view=market&asof=2020-01-01T00:00:00Z');
    await page.getByText('No quotes yet').waitFor();
  });
});

/** `2 days`. */
function describeDays(years: number): string {
  const days = Math.round(years * 365);
  return `${days} day${days === 1 ? '' : 's'}`;
}

/** The table's rows, by the titles of its columns. */
async function cells(page: Page): Promise<Record<string, string>[]> {
  await waitUntilLoaded(page);
  const table = page.getByRole('table', { name: /^Quotes of/ });
  // Both at once, since columns may be added in between.
  const { heads, texts } = await table.evaluate((element) => ({
    heads: [...element.querySelectorAll('thead th')].map((cell) => cell.innerText),
    texts: [...element.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    ),
  }));
  const titles = heads.map((title) => title.replace(/[▲▼]/g, '').replace(/\s+/g, ' ').trim());
  const name = (title: string) => {
    const { fields } = declared;
    const unit = Object.values(fields).find(({ unit }) => unit && title.endsWith(` ${unit}`))?.unit;
    return title.replace(/ (%|per 100)$/, '').replace(unit ? ` ${unit}` : /$^/, '');
  };
  return texts.map((row) =>
    Object.fromEntries(row.map((text, index) => [name(titles[index] ?? ''), text ?? ''])),
  );
}

async function choose(within: Locator, menu: string, item: string): Promise<void> {
  await within.getByRole('button', { name: menu }).click();
  await within.getByRole('button', { name: item, exact: true }).click();
}
