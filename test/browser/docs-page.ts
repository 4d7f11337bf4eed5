import type { Locator, Page } from 'playwright-core';

/** An operation on the page, open or not. */
export function findOperation(page: Page, path: string): Locator {
  return page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) });
}

/** An operation with its parameters and its button in sight. */
export async function openOperation(page: Page, path: string): Promise<Locator> {
  const block = findOperation(page, path);
  await block.locator('.opblock-summary-control').waitFor();
  if (!(await block.locator('.execute').isVisible())) {
    await block.locator('.opblock-summary-control').click();
  }
  return block;
}

/** Where a parameter is filled in. */
export function findField(block: Locator, name: string): Locator {
  return block.locator(`tr[data-param-name="${name}"] input`);
}

/** Gives the page a token, as a visitor does. */
export async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('button.authorize').click();
  await page.locator('.modal-ux input').fill(token);
  await page.locator('.modal-ux button[type=submit]').click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
}

/** Presses the button, and tells what the page then shows of a JSON answer. */
export async function execute(block: Locator) {
  const { answer, status } = await pressExecute(block);
  const headers = await answer.locator('.headerline').allInnerTexts();
  const body = await answer.locator('.highlight-code code').first().innerText();
  return { status, body, headers: headers.join('\n') };
}

/** Presses the button, and waits for the answer to it. */
export async function pressExecute(block: Locator) {
  const clear = block.locator('.btn-clear');
  if (await clear.isVisible()) await clear.click();
  await block.locator('.execute').click();
  return readResponse(block);
}

/** The answer that the page shows, as soon as it does. */
export async function readResponse(block: Locator) {
  const answer = block.locator('.live-responses-table tr.response');
  const status = await answer.locator('.response-col_status').innerText();
  return { answer, status: status.trim() };
}
