import { expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';
import { readQuotes } from './market-page.ts';

describeInBrowser('the days of the market view', () => {
  const service = useSampleServer();

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
    const oldest = await readQuotes(service, 'date=2023-07-03');
    await page.getByRole('heading', { name: `${oldest.length} quotes`, exact: true }).waitFor();
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
      globalThis.axes = [];
      const heading = document.querySelector('h1');
      const note = () => seen.push(heading.textContent);
      new MutationObserver(note).observe(heading, { subtree: true, characterData: true });
      const look = () => {
        if (!document.querySelector('.play').textContent.includes('Pause')) return;
        const slider = document.querySelector('input[type=range]').getAttribute('aria-valuetext');
        dates.add(heading.textContent.slice('Market, '.length) + ' is ' + slider);
        const ticks = [...document.querySelectorAll('.curve g:has(> .grid) text')];
        axes.push(ticks.map((tick) => parseFloat(tick.textContent)));
        requestAnimationFrame(look);
      };
      new MutationObserver(look).observe(heading, { subtree: true, characterData: true });
    }`);
    await page.getByRole('button', { name: 'Play' }).waitFor();
    const days = ['12 Jun 2026', '19 Jun 2026', '26 Jun 2026', '30 Jun 2026'];
    expect(await page.evaluate('seen')).toEqual(days.map((day) => `Market, ${day}`));
    const dates = await page.evaluate<string[]>('[...dates]');
    expect(dates.toSorted()).toEqual(days.slice(0, dates.length).map((day) => `${day} is ${day}`));
    expect(dates.length).toBeGreaterThanOrEqual(3);
    // They cover what was drawn before, so that they do not jump back and forth.
    const axes = await page.evaluate<number[][]>('axes');
    const lows = axes.map((values) => Math.min(...values));
    const highs = axes.map((values) => Math.max(...values));
    expect(lows).toEqual(lows.toSorted((a, b) => b - a));
    expect(highs).toEqual(highs.toSorted((a, b) => a - b));
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

  test('shows the market as of the chosen instant', async () => {
    const instant = '2026-06-20T00:00:00Z';
    const page = await openExplorer(service, `view=market&asof=${instant}`);
    const then = await service.getJson('/2.0/bnb/quote?limit=10000', {
      'accept-datetime': instant,
    });
    await page.getByRole('heading', { name: 'Market, 29 May 2026' }).waitFor();
    await page.getByRole('heading', { name: `${then.data.length} quotes`, exact: true }).waitFor();
  });

  test('says what to do if nothing is published yet', async () => {
    const page = await openExplorer(service, 'view=market&asof=2020-01-01T00:00:00Z');
    await page.getByText('No quotes yet').waitFor();
  });
});
