import { beforeAll, expect, test } from 'bun:test';
import { createDeclaredDataset } from '../../../../src/catalogue/model/create-dataset.ts';
import { SCOPES } from '../../../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../../../src/catalogue/model/declaration.ts';
import { issueLink } from '../../../../src/tokens/issue-token.ts';
import { describeInBrowser, getActivity, openPage } from '../../../support/browser.ts';
import {
  createKiborStore,
  declareIn,
  KIBOR_RECORDS,
  kibor,
} from '../../../support/declared-rates.ts';
import {
  expectAccessible,
  expectLinearScale,
  openExplorer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';
import { getKey, publishAt } from '../../../support/publish-at.ts';
import { issueSecret, useTestServer } from '../../../support/use-test-server.ts';
import { findPanel, readTable, readUpperEdge } from './page-helpers.ts';

const OUTPUT: Declaration = {
  name: 'output',
  title: 'Output',
  period: { kind: 'year', field: 'year' },
  measures: [{ field: 'total', title: 'Total', unit: 'tonnes', kind: 'flow' }],
  status: true,
};

describeInBrowser('datasets of the publisher', () => {
  const service = useTestServer(createKiborStore);
  beforeAll(async () => {
    await service.store.publish(kibor, [{ ...KIBOR_RECORDS[0], bid: 10.5 }]);
    const [, , record] = KIBOR_RECORDS;
    await service.store.publish(kibor, [{ ...record, bid: 12.5 }]);
    await publishAt(service.store, new Date().toISOString(), kibor, {
      retiredKeys: [getKey(kibor, record ?? {})],
    });
    await service.store.publish(kibor, [{ ...record, bid: 12.2 }]);
    await declareIn(service.store, OUTPUT);
    await service.store.publish(createDeclaredDataset(OUTPUT), [
      { year: '2024', total: 10, status: 'A' },
      { year: '2025', total: 12, status: 'P' },
    ]);
  });

  test('are cards with their newest figure and a small chart, and lead to a chart of each', async () => {
    const page = await openExplorer(service, 'view=payments');
    await waitUntilLoaded(page);
    const group = page.getByRole('region', { name: 'Datasets of the publisher' });
    const [rates = '', output = ''] = await group.locator('.card').allInnerTexts();
    expect(rates).toContain('10.500 %');
    expect(rates).toContain('Bid, one month, 3 Jun 2026');
    expect(output).toContain('12 tonnes');
    expect(output).toContain('+20.0 % on the year');
    expect(await group.locator('.card path.line').count()).toBe(2);
    const requests = getActivity(page).requests.filter((url) => url.includes('/datasets/'));
    expect(requests.map((url) => new URL(url).search).toSorted()).toEqual([
      '?limit=300',
      '?tenor=1M&limit=300',
    ]);
    await page.getByRole('link', { name: 'Interbank offered rates' }).click();
    await page.locator('path.line').first().waitFor();
    await expectAccessible(page);
  });

  test('have a series for each value of a dimension, with its own corrections', async () => {
    const page = await openExplorer(service, 'view=payments&series=kibor');
    const figures = findPanel(page, 'Figures');
    const readBids = async () => (await readTable(figures)).rows.map(([, bid]) => bid);
    expect(await readBids()).toEqual(['10.500was 11.000', '12.200was 12.000', '13.000']);
    expect(await findPanel(page, 'Corrections').count()).toBe(1);
    await page.getByRole('button', { name: 'Tenor: one month' }).click();
    await page.getByRole('button', { name: 'six months' }).click();
    await page.waitForURL(/of=6M/);
    expect(await readBids()).toEqual(['11.100', '12.100', '13.100']);
    expect(await findPanel(page, 'Corrections').count()).toBe(0);
    expect(await page.locator('path.line').count()).toBe(1);
    const headers = { 'tenor-revision': '2', link: '</corrections/kibor?cursor=1>; rel="next"' };
    await page.route('**/corrections/kibor*', (route) =>
      route.fulfill({ headers, json: { status: 'ok', data: [] } }),
    );
    await page.reload();
    await findPanel(page, 'Corrections').getByText('None of the newest are shown here').waitFor();
  });

  test('are compared by two clicks, as lines with their names', async () => {
    const page = await openExplorer(service, 'view=payments&series=kibor', {
      viewport: { width: 390, height: 800 },
    });
    await page.getByRole('button', { name: 'Tenor: one month' }).click();
    await page.getByLabel('Compare six months').click();
    const chart = page.locator('.series-chart');
    await chart.locator('.line-label').nth(1).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    const bids = [13, 12.2, 10.5, 13.1, 12.1, 11.1];
    expectLinearScale(
      [...(await readUpperEdge(chart, 'one month')), ...(await readUpperEdge(chart, 'six months'))],
      bids,
    );
    const { head, rows } = await readTable(findPanel(page, 'Figures'));
    expect([head, rows[0]]).toEqual([
      ['Day', 'one month %', 'six months %'],
      ['3 Jun 2026', '10.500', '11.100'],
    ]);
    await page.getByRole('combobox', { name: 'Figure' }).selectOption('Offer');
    await page.getByText('There are no such figures').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Tenor: one month, six months' }).waitFor();
  });

  test('have changes that the service computes', async () => {
    const page = await openExplorer(service, 'view=payments&series=kibor&of=6M');
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Units').selectOption('change');
    await findPanel(page, 'Change').waitFor();
    const { head, rows } = await readTable(findPanel(page, 'Figures'));
    expect(head).toEqual(['Day', 'Bid percentage points']);
    expect(rows.map(([, bid]) => bid)).toEqual(['−1.00', '−1.00', '–']);
  });

  test('say which figures are provisional', async () => {
    const page = await openExplorer(service, 'view=payments&series=output');
    await page.getByText('Marked by the source: 2025 (provisional value)').waitFor();
    const { rows } = await readTable(findPanel(page, 'Figures'));
    expect(rows).toEqual([
      ['2025provisional value', '12'],
      ['2024', '10'],
    ]);
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toContain(
      'provisional value',
    );
  });

  test('lead from the ledger to the values that were corrected', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await page.getByText('3 Jun 2026, one month: Bid was 11').waitFor();
    await page.getByRole('link', { name: '3', exact: true }).click();
    await page.getByRole('link', { name: '3 Jun 2026, one month' }).click();
    await page.waitForURL(/series=kibor&of=1M/);
    await findPanel(page, 'Corrections').waitFor();
  });

  test('show how a figure was revised, with a gap while it was withdrawn', async () => {
    const page = await openExplorer(service, 'view=payments&series=kibor');
    const panel = findPanel(page, 'Corrections');
    await panel.getByText('How 2 Jun 2026, one month was revised').click();
    const chart = panel.getByRole('slider', {
      name: 'Bid of 2 Jun 2026, one month by publication',
    });
    await chart.focus();
    await page.keyboard.press('Home');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(
      /^First release in revision 2, .*: Bid 12$/,
    );
    expect(await panel.locator('path.line').getAttribute('d')).toMatch(
      /^M[^M]+H[^M]+V[^M]+H[^M]+M[^M]+$/,
    );
    const { rows } = await readTable(panel);
    expect(rows.map(([, figure]) => figure)).toEqual(['12', '12.5', '–', '12.2']);
    await expectAccessible(page);
  });

  test('are compared by dimension values, in one table of one revision', async () => {
    const compare = 'compare=kibor,kibor~bid(tenor=6M)&by=published';
    const page = await openExplorer(service, `view=payments&${compare}`);
    const panel = findPanel(page, 'Comparison');
    const readNewest = async () => (await readTable(panel)).rows.map(([, newest]) => newest);
    expect(await readNewest()).toEqual(['10.500 %3 Jun 2026', '11.100 %3 Jun 2026']);
    // The third is their difference.
    expect(await panel.locator('path.line').count()).toBe(3);
    const tables = getActivity(page).requests.filter((url) => url.includes('/aligned'));
    expect(tables).toHaveLength(1);
    await expectAccessible(page);
    await panel
      .getByRole('combobox', { name: /^Figure of / })
      .first()
      .selectOption('Bid, six months');
    await page.waitForURL((url) => url.searchParams.get('compare')?.split('6M').length === 3);
    await panel
      .getByRole('button', { name: /^Remove .* six months from/ })
      .first()
      .click();
    const { publishedAt } = (await service.getJson('/revisions/2')).data;
    await page.goto(`${service.address}/?view=payments&${compare}&asof=${publishedAt}`);
    expect(await readNewest()).toEqual(['11.000 %3 Jun 2026', '11.100 %3 Jun 2026']);
  });

  test('are shown to a token with their scope alone, and to no other', async () => {
    const [own, others] = await Promise.all([
      issueSecret(service.store, ['datasets']),
      issueSecret(service.store, SCOPES),
    ]);
    const page = await openPage(`${service.address}/?view=payments&series=kibor#token=${own}`);
    await page.locator('path.line').first().waitFor();
    const other = await openPage(`${service.address}/?view=payments#token=${others}`);
    await waitUntilLoaded(other);
    expect(await other.getByText('Datasets of the publisher').count()).toBe(0);
    await other.goto(`${service.address}/?view=payments&compare=kibor`);
    await other.getByText('Left out: kibor').waitFor();
  });

  test.each([
    ['/datasets/kibor?tenor=6M&limit=10000', 'series=kibor&of=6M'],
    ['/datasets/kibor?units=pch&limit=10000', 'series=kibor&of=*&units=pch'],
    [
      '/aligned?columns=kibor.bid(tenor=6M),kibor.bid(tenor=6M):ch1',
      'compare=kibor~bid(tenor=6M)&by=published',
    ],
  ])('are drawn in a frame from a link to %s', async (target, params) => {
    const tokens = service.store.tokens();
    const terms = { name: 'x', rate: null, expiresAt: null, scopes: ['datasets'] };
    const { secret } = await issueLink(tokens, { target, ...terms });
    tokens.close();
    const query = `embed&view=payments&${params}&title=Rates`;
    const page = await openPage(`${service.address}/?${query}#link=${secret}`);
    await page.locator('path.line').first().waitFor();
    const text = await page.locator('main').innerText();
    expect(text).toContain(params.includes('units') ? '1M\n6M\n%' : 'Bid');
  });
});
