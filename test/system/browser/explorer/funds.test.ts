import { beforeAll, expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { fundAllocation } from '../../../../src/catalogue/datasets/fund-allocation.ts';
import {
  type FundAllocationRecord,
  getShare,
  type ListedFund,
} from '../../../../src/explorer/funds/fund-record.ts';
import { allowErrors, describeInBrowser, tabTo } from '../../../support/browser.ts';
import {
  expectLinearScale,
  expectUsable,
  openExplorer,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';
import { publishAt } from '../../../support/publish-at.ts';
import { downloadFile, findPanel, readBars, readTable, readUpperEdge } from './page-helpers.ts';

const MONTHLY = '5a3b0f1e-0000-4000-8000-000000000001';
const QUARTERLY = '5a3b0f1e-0000-4000-8000-000000000012';
/** One that the sample has none like: with a gap, shares that are off and shares that changed. */
const ODD = 'odd-fund-0000-0000-0000-000000000099';
const SINGLE = 'one-period';
/** One whose correction is smaller than what the page rounds to. */
const NEAR = 'near';

describeInBrowser('the funds view', () => {
  const service = useSampleServer();
  let monthly: FundAllocationRecord;
  let quarterly: FundAllocationRecord;
  beforeAll(async () => {
    const odd = (cash: number, bonds: number) => fund(ODD, { Cash: cash, Bonds: bonds });
    const near = (cash: number) => fund(NEAR, { Cash: cash, Bonds: 87.66 });
    const single = { ...fund(SINGLE, { Cash: 40, Equities: 60 }), periods: period('2026-06-30') };
    for (const row of single.rows) row.values.length = 1;
    const { store } = service;
    await publishAt(store, '2026-08-01T10:00:00Z', fundAllocation, {
      records: [odd(20, 80), single, near(12.34)],
    });
    await publishAt(store, '2026-08-02T10:00:00Z', fundAllocation, {
      records: [odd(25, 80), near(12.31)],
    });
    monthly = await fundOf(MONTHLY);
    quarterly = await fundOf(QUARTERLY);
  });

  const fundOf = async (id: string): Promise<FundAllocationRecord> =>
    (await service.getJson(`/3.0/funds/allocation?fund_id=${id}`)).data;

  test('lists every fund by its name, and finds it by a part of it', async () => {
    const page = await openExplorer(service, 'view=funds');
    const listed: readonly ListedFund[] = (await service.getJson('/3.0/funds')).data;
    const { rows } = await readTable(findPanel(page, 'All funds'));
    expect(rows.map(([, ...rest]) => rest)).toEqual(
      listed.map(({ category, manager, lastPeriod, frequency, firstPeriod }) => {
        const texts = [category, manager, lastPeriod?.label, frequency, firstPeriod?.label];
        return texts.map((text) => text ?? '');
      }),
    );
    const links = page.locator('tbody a');
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('title')))).toEqual(
      listed.map(({ fund_id }) => fund_id),
    );
    expect(await links.first().innerText()).toBe('Amberfield Cash Fund');

    const finder = page.getByRole('searchbox', { name: 'Find a fund' });
    await finder.fill('QUARTER');
    await page.getByText(`2 of ${listed.length}`).waitFor();
    expect(page.url()).toContain('find=QUARTER');
    await finder.fill('no such fund');
    await page.getByText('No fund matches “no such fund”').waitFor();
    await finder.fill('');
    await page.getByRole('button', { name: 'Last period' }).click();
    await page.waitForURL(/sort=last/);
    await page.getByRole('link', { name: 'Amberfield Pension Fund, Debt' }).click();
    await page
      .getByRole('heading', { level: 1, name: 'Amberfield Pension Fund, Debt', exact: true })
      .waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Funds' }).waitFor();
  });

  test('shows the share of an asset class now, a year ago and in any other period', async () => {
    const page = await openExplorer(service, `view=funds&fund=${MONTHLY}`);
    const shares = findPanel(page, 'Shares');
    const cashIn = async () => (await readTable(shares)).rows.find(([name]) => name === 'Cash');
    const expected = (now: number, before: number) => {
      const [one = 0, other = 0] = [
        getShare(monthly, 'Cash', now),
        getShare(monthly, 'Cash', before),
      ];
      return ['Cash', one.toFixed(1), other.toFixed(1), formatPoints(one - other)];
    };
    expect(await cashIn()).toEqual(expected(0, 12));
    const { head } = await readTable(shares);
    expect(head).toEqual(['Class', 'Share %, Jun 2026', 'A year before %, Jun 2025', 'Change']);
    expect(await shares.locator('.up, .down').count()).toBe(0);

    const choice = shares.getByRole('combobox', { name: 'Period' });
    await choice.selectOption('Jun 2025');
    await shares.getByRole('columnheader', { name: /Jun 2024/ }).waitFor();
    expect(await cashIn()).toEqual(expected(12, 24));
    expect(page.url()).toContain('period=2025-06-30');
    await page.reload();
    expect(await cashIn()).toEqual(expected(12, 24));
    await choice.selectOption('Jul 2023');
    await shares.getByText('nothing was published').waitFor();
    expect((await cashIn())?.slice(2)).toEqual(['–', '–']);
    await page.goBack();
    await shares.getByRole('columnheader', { name: /Jun 2024/ }).waitFor();
  });

  test('stacks the asset classes to 100 %, and lists them for every period', async () => {
    const page = await openExplorer(service, `view=funds&fund=${MONTHLY}`);
    await waitUntilLoaded(page);
    const chart = findPanel(page, 'Allocation');
    const oldest = monthly.periods.map((_, index) => index).reverse();
    const upTo = (count: number) => (period: number) =>
      monthly.rows.slice(0, count).reduce((sum, { values }) => sum + (values[period] ?? 0), 0);
    const [first, second] = monthly.rows.map(({ label }) => label);
    expectLinearScale(
      [...(await readUpperEdge(chart, first ?? '')), ...(await readUpperEdge(chart, second ?? ''))],
      [...oldest.map(upTo(1)), ...oldest.map(upTo(2))],
    );
    const slider = chart.getByRole('slider');
    expect(await slider.getAttribute('aria-valuetext')).toBe(
      `Jun 2026: ${monthly.rows.map(({ label, values }) => `${label} ${values[0]?.toFixed(1)} %`).join(', ')}`,
    );
    const { head, rows } = await readTable(findPanel(page, 'Figures'));
    expect(head).toEqual(['Period', ...monthly.rows.map(({ label }) => `${label} %`)]);
    expect(rows).toEqual(
      monthly.periods.map(({ label }, index) => [
        label,
        ...monthly.rows.map(({ values }) => values[index]?.toFixed(1) ?? ''),
      ]),
    );
    await page.getByText('In all 36 periods').waitFor();
    // A period that was added corrects nothing.
    expect(await findPanel(page, 'Corrections').count()).toBe(0);
    expect(await page.locator('main').innerText()).not.toContain(MONTHLY);
    await findPanel(page, 'Notes').getByText('Values are percent').waitFor();
  });

  test('compares two funds by the end dates of their periods, in the same colours', async () => {
    const page = await openExplorer(service, `view=funds&fund=${MONTHLY}`);
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption(QUARTERLY);
    const compared = findPanel(page, 'Fund comparison');
    const { rows } = await readTable(compared);
    const [here = 0, there = 0] = [getShare(monthly, 'Cash', 0), getShare(quarterly, 'Cash', 0)];
    const row = (name: string) => rows.find(([label]) => label === name)?.slice(1);
    expect(row('Cash')).toEqual([here.toFixed(1), there.toFixed(1), formatPoints(here - there)]);
    await compared.getByText('Amberfield Cash Fund less Amberfield Pension Fund, Debt').waitFor();
    expect(row('Placements with Banks')?.slice(1)).toEqual(['not in this fund', '–']);
    expect(row('Government Bonds')?.[0]).toBe('not in this fund');

    const one = findPanel(page, 'Amberfield Cash Fund: allocation');
    const two = findPanel(page, 'Amberfield Pension Fund, Debt: allocation');
    await waitUntilLoaded(page);
    for (const name of ['Cash', 'Treasury Bills', 'Others including receivables']) {
      expect(await readClass(two, name)).toBe(await readClass(one, name));
    }
    const tones = await two.locator('.layer').evaluateAll((all) => all.map((g) => g.classList[1]));
    expect(new Set(tones).size).toBe(quarterly.rows.length);

    await compared.getByRole('combobox', { name: 'Period' }).selectOption('May 2026');
    await compared.getByText('%, Q1 2026').waitFor();
    const then = (await readTable(compared)).rows.find(([label]) => label === 'Cash');
    expect(then?.[2]).toBe(getShare(quarterly, 'Cash', 1)?.toFixed(1) ?? '');

    await one.getByRole('button', { name: 'Cash' }).click();
    await two.locator('[data-name="Cash"]').waitFor({ state: 'detached' });
    expect(page.url()).toContain('hide=Cash');
    await page.goBack();
    await two.locator('[data-name="Cash"]').waitFor();
    await page.reload();
    await compared.getByText('%, Q1 2026').waitFor();
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('No comparison');
    await findPanel(page, 'Allocation').waitFor();
    expect(page.url()).not.toContain('with=');
  });

  test('compares a fund with one that has a single period, and with nothing before that', async () => {
    const page = await openExplorer(service, `view=funds&fund=${ODD}&with=${SINGLE}`);
    const compared = findPanel(page, 'Fund comparison');
    const { rows } = await readTable(compared);
    expect(rows.find(([label]) => label === 'Cash')).toEqual(['Cash', '25.0', '40.0', '−15.0 pp']);
    await compared.getByRole('combobox', { name: 'Period' }).selectOption('May 2026');
    await compared.getByText('nothing was published').waitFor();
    const before = (await readTable(compared)).rows.find(([label]) => label === 'Cash');
    expect(before).toEqual(['Cash', '30.0', '–', '–']);
  });

  test('marks corrected shares, warns of sums that differ from 100 %, and leaves gaps empty', async () => {
    const page = await openExplorer(service, `view=funds&fund=${ODD}`);
    await waitUntilLoaded(page);
    const checks = await findPanel(page, 'Checks').innerText();
    expect(checks).toContain('In 1 of 4 periods this does not hold');
    expect(checks).toMatch(/Jun 2026: .* add up to 105, not to 100/);
    expect(checks).toContain('Nothing was published between Feb 2026 and May 2026');
    const chart = findPanel(page, 'Allocation');
    const line = chart.locator('[data-name="Cash"] path.line');
    expect((await line.getAttribute('d'))?.match(/M/g)).toHaveLength(2);
    expect(await chart.locator('circle.correction-mark').count()).toBe(1);
    const { rows } = await readTable(findPanel(page, 'Figures'));
    expect(rows[0]?.[1]).toBe('25.0was 20.0');
    const list = findPanel(page, 'Corrections');
    expect((await list.innerText()).replace(/\s+/g, ' ')).toContain(
      'Jun 2026 Cash was 20 → is 25 % (+5)',
    );
    await findPanel(page, 'Figures').getByRole('link', { name: 'was 20.0' }).click();
    await page.waitForURL(/view=ledger&revision=30/);
  });

  test('shows a correction that rounding would hide', async () => {
    const page = await openExplorer(service, `view=funds&fund=${NEAR}`);
    await waitUntilLoaded(page);
    const { rows } = await readTable(findPanel(page, 'Figures'));
    expect(rows[0]?.[1]).toBe('12.31was 12.34');
    const panelText = await findPanel(page, 'Corrections').innerText();
    expect(panelText.replace(/\s+/g, ' ')).toContain(
      'Jun 2026 Cash was 12.34 → is 12.31 % (−0.03)',
    );
    const slider = findPanel(page, 'Allocation').getByRole('slider');
    expect(await slider.getAttribute('aria-valuetext')).toContain(
      'Before revision 30 (2 Aug 2026): Cash 12.34 %.',
    );
  });

  test('draws a fund of a single period', async () => {
    const page = await openExplorer(service, `view=funds&fund=${SINGLE}`);
    await waitUntilLoaded(page);
    const chart = findPanel(page, 'Allocation');
    const [[foot, cash] = [0, 0]] = await readBars(chart, 'Cash');
    const [[, top] = [0, 0]] = await readBars(chart, 'Equities');
    expectLinearScale([foot, cash, top], [0, 40, 100]);
    await page.getByText('In the only period').waitFor();
  });

  test('shows the data as of an instant, and says where there was none yet', async () => {
    const page = await openExplorer(
      service,
      `view=funds&fund=${MONTHLY}&asof=2026-07-01T00:00:00Z`,
    );
    expect((await readTable(findPanel(page, 'Shares'))).head[1]).toBe('Share %, May 2026');
    await waitUntilLoaded(page);
    expect(await findPanel(page, 'Corrections').count()).toBe(0);
    await page.goto(`${service.address}/?view=funds&fund=${MONTHLY}&asof=2026-06-01T00:00:00Z`);
    await page.getByText(`There is no fund “${MONTHLY}”`).waitFor();
    await page.getByRole('link', { name: 'All funds', exact: true }).click();
    await page.getByText('No fund has been published yet').waitFor();
  });

  test('says what to do if a fund cannot be loaded or does not exist', async () => {
    const page = await openExplorer(service, `view=funds&fund=${MONTHLY}&with=nobody`);
    await page.getByText('There is no fund “nobody”').waitFor();
    await page.route(
      (url) => url.pathname === '/3.0/funds/allocation',
      (route) =>
        route.fulfill({ status: 500, json: { status: 'error', message: 'internal_error' } }),
    );
    await page.reload();
    await page.getByText('This cannot be shown').waitFor();
    allowErrors(page, /500/);
  });

  test('exports the table and the chart of a fund', async () => {
    const page = await openExplorer(service, `view=funds&fund=${MONTHLY}`);
    await waitUntilLoaded(page);
    const chart = findPanel(page, 'Allocation');
    const csv = (await downloadFile(page, chart, 'CSV')).bytes;
    const [, head, ...lines] = csv.toString().trim().split('\r\n');
    const { data } = await service.getJson(`/3.0/funds/allocation?fund_id=${MONTHLY}`);
    expect(head).toBe(
      ['period', ...data.rows.map(({ label }: { label: string }) => `${label} (%)`)].join(),
    );
    expect(lines).toHaveLength(data.periods.length);
    expect((await downloadFile(page, chart, 'PNG')).bytes.subarray(1, 4).toString()).toBe('PNG');
  });

  test('can be used by keyboard alone', async () => {
    const page = await openExplorer(service, 'view=funds');
    await tabTo(page, page.getByRole('link', { name: 'Kestrel Liquidity Fund' }));
    await page.keyboard.press('Enter');
    await page
      .getByRole('heading', { level: 1, name: 'Kestrel Liquidity Fund', exact: true })
      .waitFor();
    await waitUntilLoaded(page);
    const slider = page.getByRole('slider');
    await tabTo(page, slider);
    await page.keyboard.press('Home');
    expect(await slider.getAttribute('aria-valuetext')).toStartWith('Jul 2023: Cash ');
  });

  test('fits every screen and is accessible if figures are odd', async () => {
    await expectUsable(await openExplorer(service, `view=funds&fund=${ODD}`));
  });
});

/** The change in percentage points, as the page writes it. */
function formatPoints(difference: number): string {
  const text = Math.abs(difference).toFixed(1);
  return `${Number(text) === 0 ? '' : difference < 0 ? '−' : '+'}${text} pp`;
}

/** The colour of a class that is drawn. */
async function readClass(within: Locator, name: string): Promise<string | null> {
  return within.locator(`.layer[data-name="${name}"]`).getAttribute('class');
}

const period = (...dates: string[]) =>
  dates.map((date) => ({ label: `${NAMES[Number(date.slice(5, 7))]} ${date.slice(0, 4)}`, date }));
const NAMES = ['', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'];

/** A fund whose newest period has those shares of two classes, and whose others add up. */
function fund(fund_id: string, newest: Readonly<Record<string, number>>) {
  const rows = Object.entries(newest).map(([label, share], index) => {
    return { label, values: [share, ...[30, 40, 50].map((v) => (index === 0 ? v : 100 - v))] };
  });
  return {
    fund_id,
    created: '2026-01-01T00:00:00Z',
    modified: '2026-07-01T00:00:00Z',
    frequency: 'monthly',
    periods: period('2026-06-30', '2026-05-31', '2026-02-28', '2026-01-31'),
    rows,
  };
}
