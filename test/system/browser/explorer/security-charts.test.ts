import { expect, test } from 'bun:test';
import { formatDayLabel } from '../../../../src/explorer/formatting/dates.ts';
import { describeInBrowser, getActivity, tabTo } from '../../../support/browser.ts';
import {
  expectAccessible,
  expectLinearScale,
  openExplorer,
  readLinePoints,
  useSampleServer,
} from '../../../support/explorer.ts';
import type { Quote } from '../../../support/quote-fixture.ts';
import {
  BOND,
  BOND_QUERY,
  CHARTS,
  DURATION,
  findChart,
  GAPS,
  hover,
  PRICE,
  publishGaps,
  readHistory,
  readPath,
  readTooltipDays,
  VOLUME,
  YIELD,
} from './security-page.ts';

describeInBrowser('the charts of the security view', () => {
  const service = useSampleServer(publishGaps);

  test('draws price, yield and duration of the last year to scale, on the same days', async () => {
    const page = await openExplorer(service, BOND_QUERY);
    await findChart(page, DURATION).waitFor();
    const quotes = await readHistory(service);
    const days = quotes.map(({ date }) => Date.parse(date));
    for (const [name, of] of [
      [PRICE, 'lastPrice'],
      [YIELD, 'ytm'],
      [DURATION, 'duration'],
    ] as const) {
      const points = await readLinePoints(page, name, '.history');
      expectLinearScale(
        points.map(([, y]) => y),
        quotes.map((quote) => quote[of]),
      );
      // To the right is later, as upwards is more.
      expectLinearScale(
        points.map(([x]) => -x),
        days,
      );
    }
  });

  test('draws bid and ask as a band, and volumes as bars', async () => {
    const page = await openExplorer(service, BOND_QUERY);
    await findChart(page, VOLUME).waitFor();
    const quotes = await readHistory(service);
    const band = await readPath(page, 'Bid to ask', 'band');
    const heights = [...band.matchAll(/,(-?[\d.]+)/g)].map(([, y]) => Number(y));
    // The upper edge from left to right, then the lower one back.
    const edges = [
      ...quotes.map(({ askPrice }) => askPrice),
      ...quotes.toReversed().map(({ bidPrice }) => bidPrice),
    ];
    expectLinearScale(heights, edges);
    const bars = await readPath(page, VOLUME, 'bars');
    const tops = [...bars.matchAll(/V(-?[\d.]+)/g)].map(([, y]) => Number(y));
    expectLinearScale(
      tops,
      quotes.map(({ volume }) => volume).filter((volume) => volume > 0),
    );
  });

  test('leaves a gap where there is no price or no yield, and draws isolated points', async () => {
    const page = await openExplorer(service, `view=security&symbol=${GAPS}`);
    await findChart(page, DURATION).waitFor();
    const quotes = await readHistory(service, `symbol=${GAPS}&from=2026-06-01`);
    const priced = quotes.filter(({ lastPrice }) => lastPrice > 0);
    const points = await readLinePoints(page, PRICE, '.history');
    expectLinearScale(
      points.map(([, y]) => y),
      priced.map(({ lastPrice }) => lastPrice),
    );
    const line = await readPath(page, PRICE, 'line');
    expect(line.match(/M/g)?.length).toBe(3);
    const lone = await readPath(page, PRICE, 'isolated-point');
    const [alone] = priced.flatMap(({ date }, index) => (date === '2026-06-07' ? [index] : []));
    expect(lone).toBe(`M${points[alone ?? -1]?.join(',')}h0`);
    expect((await readPath(page, 'Bid to ask', 'band')).match(/M/g)?.length).toBe(2);
    expect((await readPath(page, YIELD, 'line')).match(/M/g)?.length).toBe(2);
    expect((await readLinePoints(page, DURATION, '.history')).length).toBe(quotes.length - 1);
  });

  test('shows tooltips of the same day in all charts, by mouse and by keyboard', async () => {
    const page = await openExplorer(service, BOND_QUERY);
    const quotes = await readHistory(service);
    for (const name of CHARTS) await findChart(page, name).waitFor();
    await hover(page, YIELD, 0.5);
    await page.locator('.tooltip').first().waitFor();
    const days = await readTooltipDays(page);
    expect(days.length).toBe(CHARTS.length);
    expect(new Set(days).size).toBe(1);
    const there = quotes.find(({ date }) => formatDayLabel(date) === days[0]) as Quote;
    const price = await findChart(page, PRICE).getAttribute('aria-valuetext');
    expect(price).toBe(
      `${days[0]}: ${PRICE} ${there.lastPrice.toFixed(4)}, Bid to ask ${there.bidPrice.toFixed(4)} to ${there.askPrice.toFixed(4)}`,
    );
    await page.mouse.move(0, 0);
    await page.locator('.tooltip').first().waitFor({ state: 'detached' });

    await tabTo(page, findChart(page, VOLUME));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const second = quotes[1] as Quote;
    await page.getByText(formatDayLabel(second.date)).first().waitFor();
    expect(await readTooltipDays(page)).toEqual(CHARTS.map(() => formatDayLabel(second.date)));
    expect(await findChart(page, YIELD).getAttribute('aria-valuetext')).toBe(
      `${formatDayLabel(second.date)}: ${YIELD} ${second.ytm.toFixed(3)} %`,
    );
    await page.keyboard.press('Escape');
    await page.locator('.tooltip').first().waitFor({ state: 'detached' });
  });

  test('shows the chosen span with one request, and goes back', async () => {
    const page = await openExplorer(service, BOND_QUERY);
    const { requests } = getActivity(page);
    await findChart(page, PRICE).waitFor();
    const from = { '1M': '2026-05-30', '3M': '2026-03-30', '6M': '2025-12-30', '3Y': '2023-06-30' };
    for (const [span, day] of Object.entries(from)) {
      const before = requests.length;
      await page.getByRole('button', { name: span, exact: true }).click();
      const { length } = await readHistory(service, `symbol=${BOND}&from=${day}`);
      await page
        .locator(`[aria-valuemax="${length - 1}"]`)
        .first()
        .waitFor();
      expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe(day);
      const asked = requests.slice(before).filter((address) => address.includes('/quote'));
      expect(asked.map((address) => new URL(address).searchParams.get('from'))).toEqual([day]);
    }
    expect(new URL(page.url()).searchParams.get('span')).toBe('3Y');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.reload();
    const pressed = page.locator('.range-bar [aria-pressed="true"]');
    await pressed.waitFor();
    expect(await pressed.innerText()).toBe('All');
    await page.goBack();
    await page.goBack();
    await page.locator('.range-bar [aria-pressed="true"]', { hasText: '6M' }).waitFor();
  });

  test('accepts dates that are typed, and says why it rejects them', async () => {
    const page = await openExplorer(service, BOND_QUERY);
    await findChart(page, PRICE).waitFor();
    await page.getByLabel('From', { exact: true }).fill('2026-03-02');
    await page.getByLabel('To', { exact: true }).fill('2026-03-01');
    await page.getByText('The range begins on 2 Mar 2026, after its end on 1 Mar 2026.').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-03-31');
    const march = await readHistory(service, `symbol=${BOND}&from=2026-03-02&to=2026-03-31`);
    await page
      .locator(`[aria-valuemax="${march.length - 1}"]`)
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('to')).toBe('2026-03-31');
    await page.getByRole('button', { name: 'Back to 1Y' }).click();
    await page
      .locator(`[aria-valuemax="${(await readHistory(service)).length - 1}"]`)
      .first()
      .waitFor();
  });

  test('zooms to a range that is dragged, also beyond the edge, and zooms out', async () => {
    const page = await openExplorer(service, `${BOND_QUERY}&span=6M`);
    const all = await readHistory(service, `symbol=${BOND}&from=2025-12-30`);
    await findChart(page, YIELD).waitFor();
    await hover(page, YIELD, 0.5);
    const [from] = await readTooltipDays(page);
    await page.mouse.down();
    await hover(page, YIELD, 0.8);
    await page.locator('.range-selection').waitFor();
    await hover(page, YIELD, 1.02);
    await page.mouse.up();
    const first = all.findIndex(({ date }) => formatDayLabel(date) === from);
    await page
      .locator(`[aria-valuemax="${all.length - 1 - first}"]`)
      .first()
      .waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('from')).toBe(all[first]?.date as string);
    expect(searchParams.get('to')).toBe('2026-06-30');
    await page.getByRole('button', { name: 'Back to 6M' }).click();
    await page
      .locator(`[aria-valuemax="${all.length - 1}"]`)
      .first()
      .waitFor();
    await page.goBack();
    await page
      .locator(`[aria-valuemax="${all.length - 1 - first}"]`)
      .first()
      .waitFor();
  });

  test('states the range of quotes if the chosen one has none', async () => {
    const page = await openExplorer(service, `${BOND_QUERY}&from=2010-01-01&to=2010-12-31`);
    await page.getByText('No quotes from 1 Jan 2010 to 31 Dec 2010').waitFor();
    await page.getByText('There are quotes from 3 Jul 2023 to 30 Jun 2026.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show all of them' }).click();
    const all = await readHistory(service, `symbol=${BOND}&from=2023-07-03`);
    await page
      .locator(`[aria-valuemax="${all.length - 1}"]`)
      .first()
      .waitFor();
  });

  test('says what is wrong with dates in the URL', async () => {
    const page = await openExplorer(service, `${BOND_QUERY}&from=2026-02-30`);
    await page.getByText('“2026-02-30” is not a date').waitFor();
    await page.getByRole('button', { name: 'Back to 1Y' }).click();
    await findChart(page, PRICE).waitFor();
  });
});
