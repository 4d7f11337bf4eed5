import { beforeAll, expect, test } from 'bun:test';
import { formatDayLabel } from '../../../../src/explorer/formatting/dates.ts';
import { allowErrors, describeInBrowser, tabTo } from '../../../support/browser.ts';
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
  readTable,
  readUpperEdge,
} from './page-helpers.ts';
import { type Figures, formatChange, POS, POS_PARTS, toQuery } from './payments-page.ts';

const ATM = 'atm-transactions-quarterly-value';
const SETTLEMENT = 'settlement-transactions-value';

describeInBrowser('the payments view', () => {
  const service = useSampleServer();
  let pos: readonly Figures[];
  beforeAll(async () => {
    pos = await records(POS);
  });

  const records = async (name: string) => (await service.getJson(`/3.0/alternate/${name}`)).data;
  const catalogue = async () =>
    (await service.getJson('/catalogue')).data.filter(
      ({ shape, path }: Record<'shape' | 'path', string>) =>
        shape === 'series' && !path.startsWith('/datasets/'),
    );

  test('lists every series with its newest value, its change on the year and a sparkline', async () => {
    const page = await openExplorer(service, 'view=payments');
    await waitUntilLoaded(page);
    const titles = (await catalogue()).map(({ title }: { title: string }) => title);
    const group = page.getByRole('region', { name: 'Payments' });
    expect(await group.locator('.card h3').allInnerTexts()).toEqual(titles);
    const card = page.locator('.card', { hasText: 'POS transactions' });
    const [newest, before] = [addParts(pos[0]), addParts(pos[4])];
    expect(await card.innerText()).toContain(`${newest.toFixed(1)} million transactions`);
    expect(await card.innerText()).toContain(`${formatChange(newest, before)} on the year`);
    expect(await card.innerText()).toContain('Sum of the components, computed here, Q2 2026');
    expectLinearScale(
      await readUpperEdge(card, 'Social welfare card'),
      pos.map(addParts).reverse(),
    );
    expect(
      await page.locator('.card', { hasText: 'Licensed market players' }).innerText(),
    ).toContain('62 institutions');
    await page.getByRole('link', { name: 'POS transactions, quarterly volume' }).click();
    await page.getByRole('heading', { level: 1, name: 'POS transactions' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor();
  });

  test('states the growth of the POS volume', async () => {
    const page = await openExplorer(service, toQuery(POS));
    await waitUntilLoaded(page);
    const [newest, quarter, , , year] = pos.map(addParts);
    expect(await page.locator('.series-headline').innerText()).toBe(
      `Sum of the components, computed here, Q2 2026: ${newest?.toFixed(1)} million transactions, ${formatChange(newest, year)} on the year, ${formatChange(newest, quarter)} on the quarter before.`,
    );
    await page.goto(`${service.address}/?${toQuery('payments-market-players')}`);
    await page
      .getByText(/^Total licensed players, 2025: 62 institutions, \+1\.6 % on the year\.$/)
      .waitFor();
  });

  test('lists every period, newest first, or its changes on the year', async () => {
    const page = await openExplorer(service, toQuery(POS));
    const { head, rows } = await readTable(findPanel(page, 'Figures'));
    expect(head.slice(0, 3)).toEqual([
      'Quarter',
      'Sum of the components, computed here million transactions',
      'ATM million transactions',
    ]);
    expect(rows).toEqual(
      pos.map((record) => [
        record.period,
        ...[addParts(record), ...POS_PARTS.map((part) => record[part] ?? 0)].map((v) =>
          v.toFixed(1),
        ),
      ]),
    );
    await page.getByRole('button', { name: 'Year on year' }).click();
    const changes = await readTable(findPanel(page, 'Year-on-year changes'));
    // Of some 50 million, rounded to tenths, a change is not known to a tenth of a percent.
    const growth = (pos[2]?.debit_cards ?? 0) / (pos[6]?.debit_cards ?? 0) - 1;
    expect(changes.rows[2]?.[3]).toBe(`+${Math.round(growth * 100)} %`);
    expect(changes.rows.at(-1)?.slice(1)).toEqual(['–', '–', '–', '–', '–', '–']);
    await page.reload();
    await findPanel(page, 'Year-on-year changes').waitFor();
  });

  test('shows the description, the notes and the consistency checks of a series', async () => {
    const page = await openExplorer(service, toQuery(ATM));
    await waitUntilLoaded(page);
    const entry = (await catalogue()).find(({ name }: { name: string }) => name === ATM);
    const text = await page.locator('main').innerText();
    for (const told of [entry.meaning, ...entry.notes]) expect(text).toContain(told);
    await page.getByText(`In all 32 quarters: ${entry.checks[0].rule}`).waitFor();
    expect(await findPanel(page, 'Checks').count()).toBe(0);
  });

  test('marks corrected values with their former value and the revision', async () => {
    const page = await openExplorer(service, toQuery(ATM));
    const [corrected] = (await service.getJson(`/corrections/${ATM}`)).data;
    const figures = findPanel(page, 'Figures');
    await figures.getByRole('link', { name: 'corrected' }).waitFor();
    const { rows } = await readTable(figures);
    expect(rows[0]?.[1]).toBe(
      `${corrected.new.cash_withdrawl.toLocaleString('en')}was ${corrected.old.cash_withdrawl.toLocaleString('en')}`,
    );
    expect(rows[0]?.[2]).toBe(corrected.new.intra_bank.toFixed(1));
    // A ring at each of the two parts that were corrected; the total is not drawn.
    expect(await page.locator('.series-chart circle.correction-mark').count()).toBe(2);
    expect(await page.locator('.series-chart .mark-key').textContent()).toBe('corrected');
    const slider = page.locator('.series-chart').getByRole('slider');
    expect(await slider.getAttribute('aria-valuetext')).toContain(
      `Before revision ${corrected.revision} (${formatDayLabel(corrected.publishedAt.slice(0, 10))}): Cash withdrawal ${corrected.old.cash_withdrawl.toLocaleString('en')}`,
    );
    const list = findPanel(page, 'Corrections');
    expect(await list.innerText()).toContain(corrected.old.total.toLocaleString('en'));
    await list.getByRole('link', { name: `Revision ${corrected.revision}` }).click();
    await page.waitForURL(/view=ledger&revision=25/);
  });

  test('warns of inconsistent values and of missing periods', async () => {
    const page = await openExplorer(service, 'view=payments');
    const path = `/datasets/${ATM}`;
    await alterResponse(page, path, (data: Figures[]) =>
      data
        .filter(({ period }) => period !== 'Q3 2025')
        .map((record) => (record.period === 'Q4 2025' ? { ...record, total: 9999 } : record)),
    );
    await page.reload();
    await page.getByRole('link', { name: 'ATM transactions, quarterly value' }).click();
    await waitUntilLoaded(page);
    const checks = findPanel(page, 'Checks');
    const told = await checks.innerText();
    expect(told).toContain('In 1 of 31 quarters this does not hold');
    expect(told).toMatch(/Q4 2025: .* total says 9999/);
    expect(told).toContain('1 quarter of Q3 2018 to Q2 2026 is missing: Q3 2025');
    const line = page.locator('.series-chart [data-name="Cash withdrawal"] path.line');
    expect((await line.getAttribute('d'))?.match(/M/g)).toHaveLength(2);
  });

  test('shows the data as of an instant, and says where there was none yet', async () => {
    const page = await openExplorer(service, toQuery(ATM, '&asof=2026-07-15T00:00:00Z'));
    const [{ old }] = (await service.getJson(`/corrections/${ATM}`)).data;
    await page.locator('.series-headline').getByText(old.total.toLocaleString('en')).waitFor();
    await waitUntilLoaded(page);
    expect(await findPanel(page, 'Corrections').count()).toBe(0);
    await page.goto(`${service.address}/?${toQuery(ATM, '&asof=2026-05-01T00:00:00Z')}`);
    await page.getByText('No figures have been published yet').waitFor();
    await page.getByText('spelled as in the specification').waitFor();
  });

  test('says what to do if a series cannot be loaded or does not exist', async () => {
    const page = await openExplorer(service, 'view=payments');
    await waitUntilLoaded(page);
    await page.route(
      (url) => url.pathname === `/datasets/${SETTLEMENT}`,
      (route) =>
        route.fulfill({ status: 500, json: { status: 'error', message: 'internal_error' } }),
    );
    await page.reload();
    const failed = page.locator('.card', { hasText: 'Settlement-system' }).getByRole('alert');
    await failed.getByText('This cannot be shown').waitFor();
    await page.goto(`${service.address}/?${toQuery('no-such-series')}`);
    await page.getByText('There is no series “no-such-series”').waitFor();
    expect(await page.getByRole('region', { name: 'Payments' }).locator('.card').count()).toBe(10);
    allowErrors(page, /500/);
  });

  test('exports a table and a chart', async () => {
    const page = await openExplorer(service, toQuery(POS));
    await waitUntilLoaded(page);
    const chart = page.locator('.series-chart');
    const csv = (await downloadFile(page, findPanel(page, 'Figures'), 'CSV')).bytes;
    const asked = await service.request(`/datasets/${POS}?limit=10000`, { accept: 'text/csv' });
    expect(csv.toString()).toBe(await asked.text());
    const picture = (await downloadFile(page, chart, 'PNG')).bytes;
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    expect(picture.length).toBeGreaterThan(10_000);
  });

  test('can be used by keyboard alone', async () => {
    const page = await openExplorer(service, 'view=payments');
    await waitUntilLoaded(page);
    await tabTo(page, page.getByRole('link', { name: 'Settlement-system transactions' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settlement-system' }).waitFor();
    await waitUntilLoaded(page);
    const slider = page.locator('.series-chart').getByRole('slider');
    await tabTo(page, slider);
    await page.keyboard.press('Home');
    const [oldest] = (await records(SETTLEMENT)).toReversed();
    const figures: [string, number][] = [
      ['Government securities', oldest.govt_securities],
      ['Inter-bank fund transfers', oldest.ibft],
      ['Third-party customer transfers', oldest.third_party_transfer],
      ['Ancillary clearing settlement', oldest.ancillary_clearing],
    ];
    const told = figures.map(([name, value]) => `${name} ${value.toLocaleString('en')}`);
    expect(await slider.getAttribute('aria-valuetext')).toBe(`Jan 2023: ${told.join(', ')}`);
  });
});

function addParts(record: Figures | undefined): number {
  const sum = POS_PARTS.reduce((all, part) => all + (record?.[part] ?? 0), 0);
  return Number(sum.toFixed(6));
}
