import { beforeAll, expect, test } from 'bun:test';
import { describeInBrowser, getActivity } from '../../../support/browser.ts';
import { retryUntil } from '../../../support/eventually.ts';
import {
  expectLinearScale,
  openExplorer,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';
import {
  alterResponse,
  downloadFile,
  findPanel,
  readBars,
  readTable,
  readUpperEdge,
} from './page-helpers.ts';
import {
  buildChequesDataset,
  type Figures,
  formatChange,
  formatSigned,
  POS,
  POS_PARTS,
  toQuery,
} from './payments-page.ts';

type Keyed = { readonly key: string; readonly value: number };

const PLAYERS = 'payments-market-players';
const AGENTS = 'branchless-banking-agents';
const SHARES = 'mobile-money-market-share-value';

describeInBrowser('the charts of the payments view', () => {
  const service = useSampleServer();
  let pos: readonly Figures[];
  beforeAll(async () => {
    pos = await records(POS);
  });

  const records = async (name: string) => (await service.getJson(`/3.0/alternate/${name}`)).data;

  test('shows a series that only the catalogue declares, with an unknown kind of chart', async () => {
    const page = await openExplorer(service, 'view=ledger');
    const path = '/3.0/alternate/cheques';
    await alterResponse(page, '/catalogue', (data) => [...data, buildChequesDataset(path)]);
    const cleared = [7, 5, 6, 4];
    const json = {
      status: 'ok',
      data: cleared.map((value, index) => ({
        month: ['Apr 2026', 'Mar 2026', 'Feb 2026', 'Jan 2026'][index],
        cleared: value,
        fee: value * 100,
      })),
    };
    await page.route(
      (url) => url.pathname === '/datasets/cheques',
      (route) => route.fulfill({ json }),
    );
    await page.route(
      (url) => url.pathname === '/corrections/cheques',
      (route) => route.fulfill({ json: { status: 'ok', data: [] } }),
    );
    await page.reload();
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByRole('link', { name: 'Cheques' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cheques' }).waitFor();
    await waitUntilLoaded(page);
    // Units that differ have an axis each.
    expect(await page.locator('.small-charts h3').allInnerTexts()).toEqual(['million', 'PKR']);
    expectLinearScale(
      await readUpperEdge(page.locator('.small-charts'), 'Cleared'),
      cleared.toReversed(),
    );
    await page.getByText('Cheques may bounce.').waitFor();
  });

  test('stacks many periods as areas and few as columns, to scale', async () => {
    const page = await openExplorer(service, toQuery(POS));
    const chart = page.locator('.series-chart');
    await waitUntilLoaded(page);
    const upTo = (count: number) => (record: Figures) =>
      POS_PARTS.slice(0, count).reduce((sum, part) => sum + (record[part] ?? 0), 0);
    const oldest = pos.toReversed();
    const edges = [
      ...(await readUpperEdge(chart, 'Debit card')),
      ...(await readUpperEdge(chart, 'Social welfare card')),
    ];
    expectLinearScale(edges, [...oldest.map(upTo(2)), ...oldest.map(upTo(5))]);

    await page.getByRole('combobox', { name: 'Series' }).selectOption(PLAYERS);
    await page.getByRole('heading', { level: 1, name: 'Licensed market players' }).waitFor();
    await waitUntilLoaded(page);
    const players: readonly Figures[] = (await records(PLAYERS)).toReversed();
    const banks = await readBars(chart, 'Banks');
    const mfbs = await readBars(chart, 'Microfinance banks');
    expect(mfbs.map(([foot]) => foot)).toEqual(banks.map(([, top]) => top));
    expectLinearScale(
      [
        ...banks.map(([foot]) => foot),
        ...banks.map(([, top]) => top),
        ...mfbs.map(([, top]) => top),
      ],
      [
        ...players.map(() => 0),
        ...players.map(({ banks: b = 0 }) => b),
        ...players.map(({ banks: b = 0, mfbs: m = 0 }) => b + m),
      ],
    );
  });

  test('hides and shows components, and keeps that in links, reloads and the history', async () => {
    const page = await openExplorer(service, toQuery(POS));
    const debit = page.getByRole('button', { name: 'Debit card' });
    const layer = page.locator('.series-chart [data-name="Debit card"]');
    await debit.click();
    await layer.waitFor({ state: 'detached' });
    expect(await debit.getAttribute('aria-pressed')).toBe('false');
    expect(new URL(page.url()).searchParams.get('hide')).toBe('debit_cards');
    await page.reload();
    await waitUntilLoaded(page);
    expect(await layer.count()).toBe(0);
    for (const name of ['ATM', 'Credit cards', 'Pre-paid cards', 'Social welfare card']) {
      await page.getByRole('button', { name }).click();
    }
    await page.getByText('Everything is hidden').waitFor();
    await debit.click();
    await layer.waitFor();
    await page.goBack();
    await page.getByText('Everything is hidden').waitFor();
  });

  test('draws shares of the total and changes on the year, with their values in the tooltip', async () => {
    const page = await openExplorer(service, toQuery(POS));
    await page.getByRole('button', { name: 'Share of total' }).click();
    const chart = page.locator('.series-chart');
    await chart.getByRole('heading', { name: 'Share of total' }).waitFor();
    const oldest = pos.toReversed();
    const share = (record: Figures) => ((record.atm ?? 0) / addParts(record)) * 100;
    const top = await readUpperEdge(chart, 'Social welfare card');
    expect(Math.max(...top) - Math.min(...top)).toBeLessThan(0.5);
    expectLinearScale(
      [...(await readUpperEdge(chart, 'ATM')), ...top],
      [...oldest.map(share), ...oldest.map(() => 100)],
    );

    await chart.getByRole('button', { name: 'Year on year' }).click();
    await page.waitForURL(/mode=change/);
    const changes = oldest.flatMap((record, index) => {
      const before = oldest[index - 4];
      return before ? [addParts(record) / addParts(before) - 1] : [];
    });
    expectLinearScale(await readUpperEdge(chart, 'Sum of the components'), changes);
    const slider = chart.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('End');
    const spoken = (await slider.getAttribute('aria-valuetext')) ?? '';
    expect(spoken).toContain(
      `Sum of the components ${formatChange(addParts(pos[0]), addParts(pos[4]))}`,
    );
    await page.goBack();
    await chart.getByRole('heading', { name: 'Share of total' }).waitFor();
  });

  test('shows years and growth that the service computes, in the chart, the table and the file', async () => {
    const page = await openExplorer(service, toQuery(POS));
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Frequency').selectOption('year');
    await page.getByLabel('Units').selectOption('percent change from a year ago');
    const panel = findPanel(page, 'Percent change from a year ago, by year');
    await panel.locator('path.line').first().waitFor();
    const target = `/datasets/${POS}?frequency=year&units=pc1&limit=10000`;
    const { data } = await service.getJson(target);
    const { head, rows } = await readTable(findPanel(page, 'Figures'));
    expect(head.slice(0, 2)).toEqual(['Year', 'ATM %']);
    expect(rows.map(([year, atm]) => [year, atm?.replace('−', '-')])).toEqual(
      data.map(({ period, atm }: Figures) => [period, atm?.toFixed(2) ?? '–']),
    );
    const { bytes } = await downloadFile(page, panel, 'CSV');
    const [source, , ...lines] = bytes.toString().trim().split('\r\n');
    expect(source).toContain('Percent change from a year ago by year; Tenor');
    expect(lines.toReversed().map((line) => line.split(',').slice(0, 2))).toEqual(
      data.map(({ period, atm }: Figures) => [period, atm === null ? '' : String(toDecimal(atm))]),
    );
    await page.reload();
    await panel.waitFor();
  });

  test('draws a chart for each province, on a common or on its own scale', async () => {
    const page = await openExplorer(service, `${toQuery(AGENTS)}&scale=unknown`);
    await page.getByRole('button', { name: 'One scale', pressed: true }).waitFor();
    await waitUntilLoaded(page);
    const charts = page.locator('.small-charts');
    const agents: readonly { total: number; provinces: Keyed[] }[] = await records(AGENTS);
    const names = agents[0]?.provinces.map(({ key }) => key) ?? [];
    expect(await charts.locator('h3').allInnerTexts()).toEqual(['Total agents', ...names]);
    const of = (name: string) =>
      agents
        .map(({ provinces }) => provinces.find(({ key }) => key === name)?.value ?? 0)
        .reverse();
    const heights = async (name: string) => readUpperEdge(charts, name);
    expectLinearScale(
      [...(await heights('Total agents')), ...(await heights('sindh'))],
      [...agents.map(({ total }) => total).reverse(), ...of('sindh')],
    );

    await page.getByRole('button', { name: 'Own scales' }).click();
    await page.waitForURL(/scale=own/);
    const sindh = await heights('sindh');
    expectLinearScale(sindh, of('sindh'));
    // It fills its chart now, where it was a strip before.
    expect(Math.max(...sindh) - Math.min(...sindh)).toBeGreaterThan(60);
    await page.goBack();
    await page.waitForURL(/scale=unknown/);
  });

  test('draws shares in percent, and their changes in percentage points', async () => {
    const page = await openExplorer(service, toQuery(SHARES));
    await waitUntilLoaded(page);
    const shares: readonly { operators: Keyed[] }[] = (await records(SHARES)).toReversed();
    const [first] = shares.at(-1)?.operators ?? [];
    const of = (name?: string) =>
      shares.map(({ operators }) => operators.find(({ key }) => key === name)?.value ?? 0);
    const chart = page.locator('.series-chart');
    // A greater share is neither good nor bad.
    expect(await page.locator('.series-headline .change').count()).toBe(2);
    expect(await page.locator('.series-headline :is(.up, .down)').count()).toBe(0);
    const top = await readUpperEdge(chart, 'others');
    expect(Math.max(...top) - Math.min(...top)).toBeLessThan(0.5);
    expectLinearScale(
      [...(await readUpperEdge(chart, first?.key ?? '')), ...top],
      [...of(first?.key), ...shares.map(() => 1)],
    );
    const { rows } = await readTable(findPanel(page, 'Figures'));
    expect(rows[0]?.[1]).toBe(((first?.value ?? 0) * 100).toFixed(1));
    const points = (of(first?.key).at(-1) ?? 0) - (of(first?.key).at(-13) ?? 0);
    await page.getByRole('button', { name: 'Year on year' }).click();
    const changes = await readTable(findPanel(page, 'Year-on-year changes'));
    expect(changes.rows[0]?.[1]).toBe(`${formatSigned(points * 100)} pp`);
  });

  test('compares the growth of series in four clicks, and rebases them', async () => {
    const page = await openExplorer(service);
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    for (const name of ['POS transactions, quarterly volume', 'ATM transactions, quarterly value'])
      await page.getByRole('checkbox', { name: `Compare ${name}` }).click();
    const panel = findPanel(page, 'Comparison');
    await waitUntilLoaded(page);
    const { rows } = await readTable(panel);
    const sums = pos.map((record) => POS_PARTS.reduce((sum, part) => sum + (record[part] ?? 0), 0));
    const growth = ((sums[0] ?? 0) / (sums[4] ?? 1) - 1) * 100;
    expect(rows.map((row) => row.at(-1))[0]).toBe(`${formatSigned(growth)} %`);
    const points = await readUpperEdge(panel, 'POS transactions, quarterly volume');
    expect(points).toHaveLength(pos.length - 4);
    for (const [mode, charts] of [
      ['Change', 2],
      ['As published', 2],
      ['Rebased', 1],
    ] as const) {
      await panel.getByRole('button', { name: mode, exact: true }).click();
      await retryUntil(5_000, async () =>
        expect(await panel.getByRole('slider').count()).toBe(charts),
      );
    }
    // One when the first was ticked, and one table of both for all modes.
    const tables = getActivity(page).requests.filter((url) => url.includes('/aligned'));
    expect(tables).toHaveLength(2);
    await panel.locator('svg').getByText('Q3 2018 = 100').waitFor();
    const rebased = await readUpperEdge(panel, 'POS transactions, quarterly volume');
    expectLinearScale(rebased, sums.toReversed().slice(-rebased.length));
    const [, , ...lines] = (await downloadFile(page, panel, 'CSV')).bytes.toString().split('\r\n');
    const values = lines.slice(0, -1).map((line) => Number(line.split(',')[1]));
    expect(values[0]).toBe(100);
    expectLinearScale(rebased, values);
    await panel.getByLabel('Base period').selectOption('2024 = 100');
    await panel.locator('svg').getByText('2024 = 100').waitFor();
    await panel.getByRole('button', { name: '1Y', exact: true }).click();
    const indexed = (await downloadFile(page, panel, 'CSV')).bytes.toString().trim().split('\r\n');
    const mean = sums.slice(6, 10).reduce((sum, value) => sum + value / 4, 0);
    expect(indexed.slice(2).map((line) => Number(line.split(',')[1])?.toFixed(6))).toEqual(
      sums
        .slice(0, 5)
        .map((sum) => ((sum / mean) * 100).toFixed(6))
        .toReversed(),
    );
    const select = panel.getByRole('combobox', { name: /^Figure of POS/ });
    await select.selectOption('Debit card');
    await panel.getByText('POS transactions, quarterly volume: Debit card').first().waitFor();
    expect(new URL(page.url()).searchParams.get('compare')).toContain('~debit_cards');
  });

  test("compares a yield with a series, by an aggregate of one's own of enough figures", async () => {
    const page = await openExplorer(service, 'view=security&symbol=Z10PIB211026');
    await page.getByRole('link', { name: 'Compare its yield with series' }).click();
    await page.getByRole('checkbox', { name: /^Compare POS transactions, quarterly vol/ }).click();
    const panel = findPanel(page, 'Comparison');
    await panel.getByRole('button', { name: 'As published' }).click();
    await panel.getByLabel('Figure of a coarser period', { exact: true }).selectOption('mean');
    const answered = page.waitForResponse(/min_share=0.0/);
    await panel
      .getByLabel('Enough figures of a coarser period')
      .selectOption('any part of a period');
    const column = 'quotes.ytm(symbol=Z10PIB211026)@mean';
    const rows: Record<string, number | null>[] = (await (await answered).json()).data;
    const newest = rows.find((row) => row[column] !== null)?.[column];
    const security = panel.getByRole('row', { name: /^Bill and bond quotes.*Z10PIB211026/ });
    await security.getByText(`${newest?.toFixed(3)} %`).waitFor();
    await security.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Z10PIB211026' }).waitFor();
  });

  test('draws the smallest of many components together, and names them', async () => {
    const page = await openExplorer(service, 'view=payments');
    const names = 'abcdefghijk'.split('');
    await alterResponse(page, `/datasets/${SHARES}`, (data: { period: string }[]) =>
      data.map(({ period }) => ({
        period,
        operators: names.map((key, index) => ({ key, value: (index + 1) / 66 })),
      })),
    );
    await page.reload();
    await page.getByRole('link', { name: 'Mobile money market share' }).click();
    await waitUntilLoaded(page);
    const legend = page.locator('.series-chart .legend li');
    expect(await legend.allInnerTexts()).toEqual([...names.slice(4), '4 others, together']);
    await page.getByText('which are a, b, c, d.').waitFor();
    const { head } = await readTable(findPanel(page, 'Figures'));
    expect(head.slice(1)).toEqual(names.map((name) => `${name} %`));
  });
});

const toDecimal = (value = 0) => Number(value.toPrecision(12));

function addParts(record: Figures | undefined): number {
  const sum = POS_PARTS.reduce((all, part) => all + (record?.[part] ?? 0), 0);
  return Number(sum.toFixed(6));
}
