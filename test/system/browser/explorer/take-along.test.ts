import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';
import { DECODERS } from '../../../tabular/decode-formats.ts';
import { downloadFile, findPanel } from './page-helpers.ts';

describeInBrowser('what can be taken along from the explorer', () => {
  const service = useSampleServer();

  test('is a picture of the chart in light colours, its data, and a pinned link', async () => {
    const query = 'view=payments&series=pos-transactions-quarterly-volume&mode=share';
    const page = await openExplorer(service, query, {
      colorScheme: 'dark',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await waitUntilLoaded(page);
    const chart = findPanel(page, 'Share of total');
    const light = (await downloadFile(page, chart, 'SVG')).bytes.toString();
    for (const text of ['POS transactions, quarterly volume', 'Debit card', 'revision 20']) {
      expect(light).toContain(text);
    }
    expect(/<rect[^>]* fill="([^"]+)"/.exec(light)?.[1]).toBe('rgb(255, 255, 255)');
    expect(await page.locator('html').getAttribute('data-theme')).toBeNull();
    const png = await downloadFile(page, chart, 'PNG');
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    const [source, head, ...lines] = (await downloadFile(page, chart, 'CSV')).bytes
      .toString()
      .split('\r\n');
    expect(source).toStartWith('# POS transactions quarterly volume: Share of total; Tenor ');
    expect(head).toStartWith('period,ATM (%),');
    const cells = lines.at(-2)?.split(',') ?? [];
    expect(cells[0]).toBe('Q2 2026');
    expect(cells.slice(1).reduce((sum, cell) => sum + Number(cell), 0)).toBeCloseTo(100, 6);
    const xlsx = await downloadFile(page, chart, 'XLSX');
    expect(xlsx.name).toBe('pos-transactions-quarterly-volume-chart.xlsx');
    const { names, rows } = await DECODERS.xlsx(xlsx.bytes);
    expect([names, ...rows].map((row) => row.join())).toEqual([head ?? '', ...lines.slice(0, -1)]);

    await chart.getByRole('button', { name: 'Share', exact: true }).click();
    await chart.getByRole('button', { name: 'Copy link, pinned to revision 28' }).click();
    await chart.getByText('Copied the link').waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    const { publishedAt } = (await service.getJson('/revisions?limit=1')).data[0];
    expect(link).toBe(`${service.address}/?${query}&asof=${encodeURIComponent(publishedAt)}`);
    await chart.getByRole('button', { name: 'Share', exact: true }).click();
    await chart.getByRole('button', { name: 'Copy citation' }).click();
    await chart.getByText('Copied the citation').waitFor();
    const citation = await page.evaluate<string>('navigator.clipboard.readText()');
    const { host } = new URL(service.address);
    const title = 'POS transactions, quarterly volume: Share of total';
    const { lastRevision } = (await service.getJson('/catalogue')).data.find(
      ({ name }: { name: string }) => name === 'pos-transactions-quarterly-volume',
    );
    expect(citation).toStartWith(
      `${host}: “${title}”, revision 20, published ${lastRevision.publishedAt.slice(0, 10)}. ${link} (accessed `,
    );
    await page.goto(link);
    await findPanel(page, 'Share of total').waitFor();
    await page.locator('.as-of-notice').waitFor();
  });

  test('is a workbook as shown, which the service makes of the chosen columns in their order', async () => {
    const page = await openExplorer(service, 'view=market&sort=-ytm&find=TB');
    await waitUntilLoaded(page);
    const quotes = page.locator('.quotes-of-day');
    const readHead = () => quotes.locator('thead th').allInnerTexts();
    await quotes.getByRole('button', { name: 'Columns' }).click();
    // The fonts of the machine decide how many columns fit, which are shown if none is chosen.
    for (const label of await quotes.locator('.column-choice label').all()) {
      const isHidden = /^(Spread|Ask|Volume|Duration)/.test(await label.innerText());
      await label.getByRole('checkbox').setChecked(!isHidden);
    }
    await page.keyboard.press('Escape');
    await page.reload();
    await waitUntilLoaded(page);
    expect(await readHead()).toContain('Bid\nper 100');
    const shown = await quotes.locator('tbody th').allInnerTexts();
    const { name, bytes } = await downloadFile(page, quotes, 'XLSX, as shown');
    expect(name).toBe('quotes-2026-06-30-as-shown.xlsx');
    const { names, rows } = await DECODERS.xlsx(bytes);
    expect(names).toEqual([
      ...['symbol', 'type', 'maturityDate', 'maturityYears', 'bidPrice', 'lastPrice', 'ytm'],
      ...['ytmChange since 2026-05-29', 'lastPriceChange since 2026-05-29'],
    ]);
    expect(rows.map(([symbol]) => symbol)).toEqual(shown);
  });

  test('is a market on three pages, and its table on request', async () => {
    const page = await openExplorer(service, 'view=market');
    await waitUntilLoaded(page);
    expect(await countPages(page)).toBeLessThanOrEqual(3);
    await page.getByLabel('Print this table').check();
    expect(await countPages(page)).toBeGreaterThan(3);
  });

  test('is a security on three pages with whole figures in four columns, and its table on request', async () => {
    const page = await openExplorer(service, 'view=security&symbol=Z10PIB211026');
    await waitUntilLoaded(page);
    expect(await countPages(page)).toBeLessThanOrEqual(3);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 703, height: 1020 });
    const figures = await page.locator('.newest-figures dd').evaluateAll((all) =>
      all.map((figure) => {
        const { left, height } = figure.getBoundingClientRect();
        const unit = figure.querySelector('small')?.getBoundingClientRect().height ?? height;
        return { left: Math.round(left), lines: height / unit };
      }),
    );
    expect(new Set(figures.map(({ left }) => left)).size).toBe(4);
    for (const { lines } of figures) expect(lines).toBeLessThan(1.7);
    await page.emulateMedia({ media: null });
    await page.getByLabel('Print this table').check();
    expect(await countPages(page)).toBeGreaterThan(3);
  });

  test('is a table in the order shown, and a printed page in one light column without controls', async () => {
    const page = await openExplorer(service, 'view=market&sort=-ytm', { colorScheme: 'dark' });
    await waitUntilLoaded(page);
    const highest = await page.locator('.quotes-of-day tbody th').first().innerText();
    const quotes = findPanel(page, '100 quotes');
    const csv = (await downloadFile(page, quotes, 'CSV, as shown')).bytes.toString();
    expect(csv.split('\r\n')[1]).toStartWith(`${highest},`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.setViewportSize({ width: 718, height: 1040 });
    expect(
      await page
        .locator('.app-header, .day-stepper, .options-button, .toolbar')
        .evaluateAll((all) => all.filter((element) => element.checkVisibility()).length),
    ).toBe(0);
    // With buttons in it, the head of a table is not repeated on every page.
    const button = page.locator('thead button').first();
    expect(await button.evaluate((each) => each.getClientRects().length)).toBe(0);
    expect(await page.locator('.print-source').innerText()).toContain('revision 17; sample data');
    const chart = await page.locator('.curve .drawing').boundingBox();
    const tables = page.locator('.table-scroll');
    const table = await tables.first().boundingBox();
    expect((chart?.y ?? 0) + (chart?.height ?? 0)).toBeLessThanOrEqual(table?.y ?? 0);
    const row = await tables.first().locator('tbody tr').last().boundingBox();
    expect(row?.height).toBeGreaterThan(0);
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(
      (table?.y ?? 0) + (table?.height ?? 0) + 1,
    );
    expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(255, 255, 255)',
    );
  });
});

async function countPages(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: 'A4' });
  return [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b/g)].length;
}
