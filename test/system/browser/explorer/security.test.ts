import { expect, test } from 'bun:test';
import { formatDayLabel } from '../../../../src/explorer/formatting/dates.ts';
import { allowErrors, describeInBrowser, tabTo } from '../../../support/browser.ts';
import {
  expectAccessible,
  expectLinearScale,
  openExplorer,
  readLinePoints,
  useSampleServer,
} from '../../../support/explorer.ts';
import type { Quote } from '../../../support/quote-fixture.ts';
import { downloadFile, readTable } from './page-helpers.ts';
import {
  BOND,
  BOND_QUERY,
  CHARTS,
  CORRECTED_DAY,
  DURATION,
  findChart,
  GAPS,
  PRICE,
  publishGaps,
  RETIRED_DAY,
  readHistory,
  readRows,
  readTooltipDays,
  SPREAD,
  VOLUME,
  YIELD,
} from './security-page.ts';

describeInBrowser('the security view', () => {
  const service = useSampleServer(publishGaps);

  test('shows the terms of the security and its newest quote, with units', async () => {
    const page = await openExplorer(service, BOND_QUERY);
    const [newest] = (await service.getJson(`/2.0/bnb/quote?symbol=${BOND}`)).data as [Quote];
    const panel = page.getByRole('region', { name: 'Newest quote, 30 Jun 2026' });
    const analyticsPath = `/2.0/bnb/analytics?symbol=${BOND}&from=2025-06-16&limit=10000`;
    const analytics = (await service.getJson(analyticsPath)).data;
    const [figures] = analytics;
    await panel.getByText(`${figures.convexity.toFixed(2)} years²`).waitFor();
    const newestFacts = await panel.locator('.facts > div').allInnerTexts();
    expect(newestFacts.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      `${DURATION} ${newest.duration.toFixed(2)} years`,
      `Years to maturity ${newest.maturityYears.toFixed(2)} years`,
      `${VOLUME} ${newest.volume.toLocaleString('en')} face value`,
      `Accrued interest ${figures.accrued.toFixed(4)} per 100`,
      `Dirty price ${figures.dirtyPrice.toFixed(4)} per 100`,
      `DV01 ${figures.dv01.toFixed(6)} per 100`,
      `Convexity ${figures.convexity.toFixed(2)} years²`,
    ]);
    const [price, ytm, spread] = await readRows(panel.getByRole('table'));
    expect(price).toMatchObject({
      Figure: 'Last price per 100',
      Newest: newest.lastPrice.toFixed(4),
    });
    expect(ytm).toMatchObject({ Figure: 'Yield %', Newest: newest.ytm.toFixed(3) });
    const formatChange = (day: string) => {
      const earlier = analytics.find(({ date }: { date: string }) => date === day).spread;
      const change = (figures.spread - earlier).toFixed(1);
      return `${change.startsWith('-') ? change.replace('-', '−') : `+${change}`} bp`;
    };
    expect(spread).toMatchObject({
      Figure: 'Spread bp',
      Newest: figures.spread.toFixed(1),
      '1 day since 29 Jun': formatChange('2026-06-29'),
      '1 year since 30 Jun 2025': formatChange('2025-06-30'),
    });
    const facts = page.getByRole('region', { name: 'The security' }).locator('.facts > div');
    expect(await facts.allInnerTexts()).toEqual([
      `ISIN\n${newest.isin}`,
      'Issued\n21 Oct 2016',
      'Coupon\n8.81 % a year, paid twice a year',
      'First quote\n3 Jul 2023',
    ]);
    await page
      .getByText('10-year bond, 21 Oct 2026 · Government of Zedland', { exact: true })
      .waitFor();
    expect(await page.title()).toBe(`${BOND} · Tenor`);
  });

  test('shows a matured security, by its ISIN in lower case, up to its last quote', async () => {
    const { data } = await service.getJson('/2.0/bnb/securities');
    const { isin } = data.find(({ symbol }: { symbol: string }) => symbol === 'CEDARTFC1');
    const page = await openExplorer(service, `view=security&symbol=${isin.toLowerCase()}&span=1M`);
    await page.getByRole('heading', { name: 'CEDARTFC1', level: 1 }).waitFor();
    expect(await page.getByText('matured on 18 Mar 2024').count()).toBe(1);
    await findChart(page, PRICE).waitFor();
    const quotes = await readHistory(service, 'symbol=CEDARTFC1&from=2024-02-14');
    expect((await readLinePoints(page, PRICE, '.history')).length).toBe(quotes.length);
    // There is no government paper that is as short as it is in the end.
    const newest = page.getByRole('region', { name: 'Newest quote, 14 Mar 2024' });
    await newest.getByText('12 Mar 2024').waitFor();
    // Another security is compared up to the same day, though it has later quotes.
    await page.getByRole('combobox', { name: 'Compare with' }).fill(BOND);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Comparison' }).getByRole('slider').first().waitFor();
    expect((await readLinePoints(page, BOND, '.history')).length).toBe(quotes.length);
  });

  test('says what to do about an unknown symbol', async () => {
    const page = await openExplorer(service, 'view=security&symbol=PIB');
    await page.getByText('No security is called “PIB”').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Find it by a part of its symbol, ISIN or name' }).click();
    await page.getByRole('link', { name: BOND }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('PIB');
  });

  test('marks corrected quotes, lists their former values, and shows the tooltip of a chosen one', async () => {
    const page = await openExplorer(service, BOND_QUERY);
    const panel = page.getByRole('region', { name: 'Corrections' });
    const row = panel.getByRole('button', { name: '17 Jun 2026' });
    await row.waitFor();
    const { data } = await service.getJson(`/corrections/quotes?symbol=${BOND}`);
    const [{ old, new: now }] = data;
    const changes = await panel.locator('.value-changes > div').allInnerTexts();
    expect(changes.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      `${PRICE} was ${old.lastPrice} → is ${now.lastPrice} per 100 of face value (−1)`,
      expect.stringContaining(`${YIELD} was ${old.ytm} → is ${now.ytm} % (+`),
      expect.stringContaining(`${DURATION} was ${old.duration} → is ${now.duration} years (−`),
    ]);
    await panel.getByText('published 3 Jul 2026, 06:16 UTC').waitFor();

    const quotes = await readHistory(service);
    const index = quotes.findIndex(({ date }) => date === '2026-06-17');
    for (const name of [PRICE, YIELD, DURATION]) {
      const mark = findChart(page, name).locator('.correction-mark');
      const center = [Number(await mark.getAttribute('cx')), Number(await mark.getAttribute('cy'))];
      expect(center).toEqual((await readLinePoints(page, name, '.history'))[index] ?? []);
    }
    // Its volume was right from the beginning.
    expect(await findChart(page, VOLUME).locator('.correction-mark').count()).toBe(0);

    await findChart(page, SPREAD).waitFor();
    await row.focus();
    await page.keyboard.press('Enter');
    await page.locator('.tooltip').first().waitFor();
    expect(await readTooltipDays(page)).toEqual(CHARTS.map(() => '17 Jun 2026'));
    expect(await findChart(page, YIELD).getAttribute('aria-valuetext')).toContain(
      `Before revision 17 (3 Jul 2026): ${YIELD} ${old.ytm.toFixed(3)} %.`,
    );
    await page.reload();
    await page.locator('.tooltip').first().waitFor();
    expect(await readTooltipDays(page)).toEqual(CHARTS.map(() => '17 Jun 2026'));
    await row.click();
    await page.locator('.tooltip').first().waitFor({ state: 'detached' });
    await panel.getByRole('link', { name: 'revision 17' }).click();
    await page.waitForURL(/view=ledger&revision=17/);
  });

  test('widens the range to a chosen correction outside it', async () => {
    const page = await openExplorer(service, `${BOND_QUERY}&from=2024-01-01&to=2024-02-01`);
    await page.getByRole('button', { name: '17 Jun 2026' }).click();
    await page.locator('.tooltip').first().waitFor();
    const { searchParams } = new URL(page.url());
    expect([...searchParams.keys()].toSorted()).toEqual(['point', 'span', 'symbol', 'view']);
  });

  test('lists every correction of a day and retired quotes, newest first', async () => {
    const page = await openExplorer(service, `view=security&symbol=${GAPS}&point=${RETIRED_DAY}`);
    const rows = page.getByRole('region', { name: 'Corrections' }).locator('.corrections > li');
    await rows.first().waitFor();
    const entries = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(entries.map((text) => /10:00 UTC (.*?\d{4})/.exec(text)?.[1])).toEqual([
      'Retired: 10 Jun 2026',
      '3 Jun 2026',
      '3 Jun 2026',
    ]);
    expect(entries[1]).toContain('was 96 → is 95.25');
    expect(entries[2]).toContain('was 95.2 → is 96');
    await page.getByText('There is no quote of 10 Jun 2026 in this range.').waitFor();
    await page.getByRole('button', { name: '3 Jun 2026' }).first().click();
    await page.locator('.tooltip').first().waitFor();
    const { data } = await service.getJson(`/corrections/quotes?symbol=${GAPS}`);
    const [, second, first] = data.map(({ revision }: { revision: number }) => revision);
    expect(await findChart(page, PRICE).getAttribute('aria-valuetext')).toContain(
      `Before revision ${second} (3 Aug 2026): ${PRICE} 96.0000 per 100 of face value. Before revision ${first} (2 Aug 2026): ${PRICE} 95.2000 per 100 of face value`,
    );
    expect(new URL(page.url()).searchParams.get('point')).toBe(CORRECTED_DAY);
  });

  test('shows the quotes as of an instant, without later corrections', async () => {
    const asof = '2026-07-02T00:00:00Z';
    const page = await openExplorer(service, `${BOND_QUERY}&asof=${asof}&point=2026-06-17`);
    const then = await readHistory(service, `symbol=${BOND}&from=2025-06-30`, {
      'accept-datetime': new Date(asof).toUTCString(),
    });
    await findChart(page, PRICE).waitFor();
    expectLinearScale(
      (await readLinePoints(page, PRICE, '.history')).map(([, y]) => y),
      then.map(({ lastPrice }) => lastPrice),
    );
    const wrong = then.find(({ date }) => date === '2026-06-17');
    expect(wrong?.lastPrice).toBe(100.2897);
    await page.locator('.tooltip').first().waitFor();
    expect(await page.locator('.tooltip').first().innerText()).toContain('100.2897');
    expect(await page.locator('.correction-mark').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Corrections' }).count()).toBe(0);
  });

  test('lists the quotes of the range with all fields, newest first or sorted by a column', async () => {
    const page = await openExplorer(service, `${BOND_QUERY}&from=2026-06-01`);
    const panel = page.getByRole('region', { name: 'Quotes', exact: true });
    const table = panel.getByRole('table');
    await table.waitFor();
    await panel.getByRole('button', { name: 'Columns' }).click();
    for (const box of await panel.locator('.dropdown input').all()) await box.check();
    await page.keyboard.press('Escape');
    const spreads = (
      await service.getJson(`/2.0/bnb/analytics?symbol=${BOND}&from=2026-06-01&limit=10000`)
    ).data.map(({ spread }: { spread: number }) => spread.toFixed(1).replace('-', '−'));
    await table.getByText(spreads[0], { exact: true }).first().waitFor();
    const newestFirst = (await readHistory(service, `symbol=${BOND}&from=2026-06-01`)).toReversed();
    const rows = await readRows(table);
    expect(rows).toEqual(
      newestFirst.map((quote, index) => ({
        Date: formatDayCell(quote),
        'To maturity years': quote.maturityYears.toFixed(2),
        'Bid per 100': quote.bidPrice.toFixed(4),
        'Ask per 100': quote.askPrice.toFixed(4),
        'Last price per 100': quote.lastPrice.toFixed(4),
        'Bid volume face value': quote.bidVolume.toLocaleString('en'),
        'Ask volume face value': quote.askVolume.toLocaleString('en'),
        'Volume face value': quote.volume.toLocaleString('en'),
        'Yield %': quote.ytm.toFixed(3),
        'Duration years': quote.duration.toFixed(2),
        'Spread bp': spreads[index],
        Symbol: quote.symbol,
        ISIN: quote.isin,
        Type: 'Bond',
        Maturity: formatDayLabel(quote.maturityDate),
      })),
    );
    await table.getByRole('button', { name: 'Yield' }).click();
    await table.locator('th[aria-sort="ascending"]').waitFor();
    const byYield = newestFirst.toSorted((a, b) => a.ytm - b.ytm).map(formatDayCell);
    expect((await readRows(table)).map((row) => row.Date)).toEqual(byYield);
    expect(new URL(page.url()).searchParams.get('sort')).toBe('ytm');
  });

  test('finds every security ever quoted as it is typed, by type, live or matured', async () => {
    const page = await openExplorer(service, 'view=security');
    const { data } = await service.getJson('/2.0/bnb/securities');
    type Listed = Record<'symbol' | 'isin' | 'type' | 'maturityDate', string>;
    const all = data as Listed[];
    const count = ({ length }: readonly unknown[]) => {
      const matches = length === all.length ? '' : `${length} of `;
      return page.getByText(`${matches}${all.length} securities`, { exact: true }).waitFor();
    };
    await count(all);
    const symbols = async () => (await readRows(page.getByRole('table'))).map((row) => row.Symbol);
    expect(await symbols()).toEqual(all.map(({ symbol }) => symbol).toSorted());

    await page.getByRole('button', { name: 'Matured', exact: true }).click();
    const matured = all.filter(({ maturityDate }) => maturityDate <= '2026-06-30');
    await count(matured);
    await page.getByRole('button', { name: 'Bonds', exact: true }).click();
    const bonds = matured.filter(({ type }) => type === 'bond');
    await count(bonds);
    await page.getByRole('button', { name: 'Maturity date' }).click();
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Maturity date' }).waitFor();
    const first = bonds.toSorted((a, b) => (a.maturityDate < b.maturityDate ? -1 : 1))[0];
    expect((await symbols())[0]).toBe(first?.symbol as string);
    const isin = first?.isin.toLowerCase() ?? '';
    await page.getByRole('searchbox').pressSequentially(isin.slice(0, 9));
    await count(bonds.filter((each) => each.isin.toLowerCase().includes(isin.slice(0, 9))));

    await page.waitForURL((url) => url.searchParams.get('find') === isin.slice(0, 9));
    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe(isin.slice(0, 9));
    await page.getByRole('button', { name: 'Outstanding', exact: true }).click();
    await page.getByText('No security matches').waitFor();
    await page.getByRole('button', { name: 'Show all of them' }).click();
    await count(all);
    await page.getByRole('link', { name: first?.symbol ?? '' }).click();
    await page.getByRole('heading', { name: first?.symbol ?? '', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Find a security' }).waitFor();
  });

  test('changes to another security by keyboard and by mouse, and keeps the span', async () => {
    const page = await openExplorer(service, `${BOND_QUERY}&span=3M&point=2026-06-17`);
    const input = page.getByRole('combobox', { name: 'Switch security' });
    await tabTo(page, input);
    await page.keyboard.type('z10pib');
    const options = page.getByRole('listbox', { name: 'Securities' }).getByRole('option');
    await options.first().waitFor();
    const [, second] = await options.locator('b').allInnerTexts();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { selected: true, name: second ?? '' }).waitFor();
    const active = await input.getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"] b`).innerText()).toBe(second ?? '');
    await page.keyboard.press('Escape');
    await options.first().waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: second ?? '', level: 1 }).waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('span'), searchParams.get('point')]).toEqual(['3M', null]);

    await input.fill('no such thing');
    await page.getByText('No security matches').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: second ?? '', level: 1 }).waitFor();
    await input.fill('cedartfc1');
    await options.first().click();
    await page.getByRole('heading', { name: 'CEDARTFC1', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: second ?? '', level: 1 }).waitFor();
  });

  test('compares securities that are chosen in two clicks, by yield, spread and rebased price', async () => {
    const page = await openExplorer(service, BOND_QUERY);
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('listbox').getByRole('option').first().click();
    const panel = page.getByRole('region', { name: 'Comparison' });
    const other = new URL(page.url()).searchParams.get('with') ?? '';
    const difference = `${BOND} less ${other}`;
    await panel.getByRole('slider', { name: `${difference}, basis points` }).waitFor();
    const readEnd = async (name: string) => (await readLinePoints(page, name)).at(-1)?.[0];
    expect(await readEnd(difference)).toBe(await readEnd(BOND));
    const quotes = await readHistory(service);
    expectLinearScale(
      (await readLinePoints(page, BOND, '.history')).map(([, y]) => y),
      quotes.map(({ ytm }) => ytm),
    );
    const yields = quotes.map(({ ytm }) => ytm);
    const change = Math.abs(((yields.at(-1) ?? 0) - (yields[0] ?? 0)) * 100);
    const { head, rows } = await readTable(panel);
    expect(head.at(-1)).toBe('Over the range');
    expect(rows[0]?.at(-1)).toMatch(new RegExp(`^[+−]${change.toFixed(1)} bp$`));
    const { promise: isSeen, resolve: answer } = Promise.withResolvers<void>();
    await page.route(/analytics/, (route) => isSeen.then(() => route.continue()));
    await panel.getByRole('button', { name: 'Spread' }).click();
    await panel.getByText('Loading quotes…').waitFor();
    answer();
    await panel.getByRole('slider', { name: `${BOND} and ${other}, bp` }).waitFor();
    const path = `/2.0/bnb/analytics?symbol=${other}&from=2025-06-30&limit=10000`;
    const spreads = (await service.getJson(path)).data.map((r: { spread: number }) => r.spread);
    expectLinearScale(
      (await readLinePoints(page, other, '.history')).map(([, y]) => y),
      spreads.toReversed(),
    );
    await panel.getByRole('button', { name: 'Rebased to 100' }).click();
    await panel.getByText('30 Jun 2025 = 100').waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ media: 'print' });
    await page.locator('.quotes td.text').first().waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: 'screen' });
    await page.reload();
    await panel.getByRole('button', { name: `Remove ${other} from the comparison` }).click();
    await page.getByRole('region', { name: 'History' }).waitFor();
    expect(new URL(page.url()).searchParams.has('with')).toBe(false);
  });

  test('shows the message of a 400 response, and the rest of the view', async () => {
    const page = await openExplorer(service, BOND_QUERY);
    await findChart(page, PRICE).waitFor();
    const body = { status: 'error', message: 'that is too much' };
    await page.route(/\/quote\?.*from=2023/, (route) => route.fulfill({ status: 400, json: body }));
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByText('The service says: that is too much').waitFor();
    await page.getByText('Yield to maturity', { exact: true }).first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: '1M', exact: true }).click();
    await findChart(page, PRICE).waitFor();
    allowErrors(page, /400/);
  });

  test('exports files and a chart', async () => {
    const page = await openExplorer(service, `${BOND_QUERY}&span=1M`);
    const panel = page.getByRole('region', { name: 'History' });
    await findChart(page, PRICE).waitFor();
    const csv = await downloadFile(page, panel, 'CSV');
    expect(csv.name).toBe(`${BOND}-quotes-chart.csv`);
    const { data } = await service.getJson(
      `/2.0/bnb/quote?symbol=${BOND}&from=2026-05-30&limit=10000`,
    );
    const [, , ...lines] = csv.bytes.toString().trim().split('\r\n');
    expect(lines.toReversed().map((line) => line.split(',').slice(0, 2))).toEqual(
      data.map(({ date, lastPrice }: Quote) => [date, String(lastPrice)]),
    );
    const png = await downloadFile(page, panel, 'PNG');
    expect(png.name).toBe(`${BOND}-quotes.png`);
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    const drawings = await panel.locator('svg.drawing').evaluateAll((all) => {
      const sizes = all.map((each) => each.getBoundingClientRect());
      return {
        width: sizes[0]?.width ?? 0,
        height: sizes.reduce((sum, { height }) => sum + height, 0),
      };
    });
    // Twice as fine as on the screen, with room around.
    expect(png.bytes.readUInt32BE(16)).toBeGreaterThan(2 * drawings.width);
    expect(png.bytes.readUInt32BE(20)).toBeGreaterThan(2 * drawings.height);
  });
});

/** The day of a quote in the table, which says where it was corrected. */
function formatDayCell({ date }: { readonly date: string }): string {
  return `${formatDayLabel(date)}${date === '2026-06-17' ? ' corrected' : ''}`;
}
