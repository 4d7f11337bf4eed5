// `npm run screenshots`: a picture of each view at each width, light and dark, and as it is printed.
// `npm run screenshots -- readme`: the picture of the README, and its texts, by which a test tells that it is of today.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { explainMissingChromium, findChromium, installChromium } from '../test/support/chromium.ts';
import { createSampleStore, waitUntilLoaded } from '../test/support/explorer.ts';
import { README_SCREEN, README_VIEW, readPictureTexts } from '../test/support/readme-picture.ts';
import { startTestServer, TOKEN } from '../test/support/test-server.ts';

const VIEWS: Readonly<Record<string, string>> = {
  market: 'view=market',
  'market-a-year-before': 'view=market&date=2025-06-30&type=bond&against=year',
  security: 'view=security&symbol=Z10PIB211026',
  'security-compared': 'view=security&symbol=Z10PIB211026&with=Z05PIB151030',
  'security-finder': 'view=security',
  portfolio:
    'view=portfolio&positions=Z10PIB211026:1000000,Z05PIB151030:5000000,ZZ12TB081026:-2000000',
  funds: 'view=funds',
  fund: 'view=funds&fund=5a3b0f1e-0000-4000-8000-000000000001',
  'funds-compared':
    'view=funds&fund=5a3b0f1e-0000-4000-8000-000000000001&with=5a3b0f1e-0000-4000-8000-000000000004',
  data: 'view=payments',
  'data-combinations': 'view=payments&series=interbank-offered-rates&of=1W;1M;1Y',
  'payments-compared':
    'view=payments&compare=pos-transactions-quarterly-volume,atm-transactions-quarterly-value',
  'payments-stacked': 'view=payments&series=pos-transactions-quarterly-volume',
  'payments-lines': 'view=payments&series=settlement-transactions-value',
  'payments-shares': 'view=payments&series=mobile-money-market-share-value',
  'payments-multiples': 'view=payments&series=branchless-banking-agents',
  'yield-compared':
    'view=payments&by=published&compare=quotes~ytm(symbol=Z10PIB211026),pos-transactions-quarterly-volume',
  ledger: 'view=ledger',
  'ledger-month': 'view=ledger&month=2026-07',
  'ledger-correction': 'view=ledger&revision=17',
  'ledger-extension': 'view=ledger&revision=18',
  historical: 'view=market&asof=2026-06-20T00:00:00Z',
};

const WIDTHS = [390, 768, 1280, 1920] as const;
const HEIGHT = 900;
const FOLDER = join(import.meta.dirname, '../.screenshots');

installChromium();
const executablePath = findChromium();
if (!executablePath) throw new Error(`there is no Chromium: ${explainMissingChromium()}`);
mkdirSync(FOLDER, { recursive: true });
const service = await startTestServer(await createSampleStore());
const browser = await chromium.launch({ executablePath });
try {
  if (process.argv.includes('readme')) await takeReadmePicture();
  else {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of WIDTHS) await takeViews(colorScheme, width);
    }
    await printViews();
  }
} finally {
  await browser.close();
  await service.stop();
}

async function takeReadmePicture(): Promise<void> {
  const context = await browser.newContext({ ...README_SCREEN, colorScheme: 'light' });
  const page = await context.newPage();
  await openView(page, README_VIEW);
  const path = join(import.meta.dirname, '../docs/images/market');
  writeFileSync(`${path}.txt`, await readPictureTexts(page));
  await page.screenshot({ path: `${path}.png` });
  await context.close();
}

async function takeViews(colorScheme: 'light' | 'dark', width: number): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: HEIGHT }, colorScheme });
  const page = await context.newPage();
  const take = async (name: string) => {
    const path = join(FOLDER, `${name}-${width}-${colorScheme}.png`);
    await page.screenshot({ path, fullPage: true });
    console.log(path);
  };
  await page.goto(service.address);
  await page.getByRole('button').first().waitFor();
  await take('sign-in');
  for (const [name, params] of Object.entries(VIEWS)) {
    await openView(page, params);
    await take(name);
  }
  await context.close();
}

/** Printed from the dark theme, which must not show. */
async function printViews(): Promise<void> {
  const context = await browser.newContext({ colorScheme: 'dark' });
  const page = await context.newPage();
  for (const [name, params] of Object.entries(VIEWS)) {
    await openView(page, params);
    const path = join(FOLDER, `${name}-print.pdf`);
    await page.pdf({ path, format: 'A4' });
    console.log(path);
  }
  await context.close();
}

async function openView(page: Page, params: string): Promise<void> {
  await page.goto(`${service.address}/?${params}#token=${TOKEN}`);
  await page.locator('main#view').waitFor();
  await waitUntilLoaded(page);
  // What came first may have requested more.
  await page.locator('.panel, .card').first().waitFor();
  await waitUntilLoaded(page);
}
