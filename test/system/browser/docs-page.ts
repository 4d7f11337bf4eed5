import type { Locator, Page } from 'playwright-core';

/** An operation of the page, expanded or not. */
export function findOperation(page: Page, path: string): Locator {
  return page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) });
}

/** Expands an operation, so that its parameters and its Execute button are visible. */
export async function openOperation(page: Page, path: string): Promise<Locator> {
  const block = findOperation(page, path);
  await block.locator('.opblock-summary-control').waitFor();
  if (!(await block.locator('.execute').isVisible())) {
    await block.locator('.opblock-summary-control').click();
  }
  return block;
}

/** The input of a parameter. */
export function findField(block: Locator, name: string): Locator {
  return block.locator(`tr[data-param-name="${name}"] input`);
}

/** Enters a token. */
export async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('button.authorize').first().click();
  await page.locator('.modal-ux input').fill(token);
  await page.locator('.modal-ux button[type=submit]').click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
}

export async function logOut(page: Page): Promise<void> {
  await page.locator('button.authorize').first().click();
  await page.locator('.modal-ux button', { hasText: 'Logout' }).click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
}

/** Executes the request, and reads what the page shows of its JSON response. */
export async function execute(block: Locator) {
  const { response, status } = await pressExecute(block);
  const headers = await response.locator('.headerline').allInnerTexts();
  const body = await response.locator('.highlight-code code').first().innerText();
  return { status, body, headers: headers.join('\n') };
}

/** Executes the request, and waits for its response. */
export async function pressExecute(block: Locator) {
  const clear = block.locator('.btn-clear');
  if (await clear.isVisible()) await clear.click();
  await block.locator('.execute').click();
  return readResponse(block);
}

/** The response that the page shows, as soon as it does. */
export async function readResponse(block: Locator) {
  const response = block.locator('.live-responses-table tr.response');
  const status = await response.locator('.response-col_status').innerText();
  return { response, status: status.trim() };
}
