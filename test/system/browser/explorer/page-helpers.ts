import type { Locator, Page } from 'playwright-core';

/** Changes what the service answers at a path, on its way to the page. */
export async function alterResponse(
  page: Page,
  path: string,
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests know
  change: (data: any) => unknown,
): Promise<void> {
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const headers = { 'tenor-revision': response.headers()['tenor-revision'] ?? '1' };
      await route.fulfill({ headers, json: { ...rest, data: change(data) } });
    },
  );
}

/** A part of the view, by its title. */
export function findPanel(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

/** The texts of a table: its head, and its rows. */
export async function readTable(within: Locator): Promise<{ head: string[]; rows: string[][] }> {
  const table = within.locator('table');
  await table.waitFor();
  const textsOf = (rows: Locator) =>
    rows.evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').trim())),
    );
  const [head = []] = await textsOf(table.locator('thead tr'));
  return { head, rows: await textsOf(table.locator('tbody tr')) };
}

/** The feet and tops of the columns of a part, in pixels, oldest first. */
export async function readBars(within: Locator, name: string): Promise<[number, number][]> {
  const path = within.locator(`[data-name="${name}"] path.bars`);
  const text = (await path.getAttribute('d')) ?? '';
  return [...text.matchAll(/M-?[\d.]+,(-?[\d.]+)V(-?[\d.]+)/g)].map(([, foot, top]) => [
    Number(foot),
    Number(top),
  ]);
}

/** The heights of a part's upper edge, in pixels, oldest first. */
export async function readUpperEdge(within: Locator, name: string): Promise<number[]> {
  const text = (await within.locator(`[data-name="${name}"] path.line`).getAttribute('d')) ?? '';
  return [...text.matchAll(/-?[\d.]+,(-?[\d.]+)/g)].map(([, y]) => Number(y));
}

/** Downloads a file in the chosen format. */
export async function downloadFile(
  page: Page,
  within: Locator,
  format: string,
): Promise<{ name: string; bytes: Buffer }> {
  await within.getByRole('button', { name: 'Share', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    within.getByRole('button', { name: `Download ${format}`, exact: true }).click(),
  ]);
  const bytes = Buffer.from(await Bun.file(await download.path()).arrayBuffer());
  return { name: download.suggestedFilename(), bytes };
}
