// `npm run screenshots`: a picture of each view, light and dark, narrow and wide.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { explainMissingChromium, findChromium, installChromium } from '../test/support/chromium.ts';
import { createSampleStore } from '../test/support/explorer.ts';
import { startTestServer, TOKEN } from '../test/support/test-server.ts';

const VIEWS: Readonly<Record<string, string>> = {
  market: 'view=market',
  'market-a-year-before': 'view=market&date=2025-06-30&type=bond&against=year',
  security: 'view=security&symbol=Z10PIB211026',
  'security-finder': 'view=security',
  funds: 'view=funds&fund=5a3b0f1e-0000-4000-8000-000000000001',
  'funds-compared':
    'view=funds&fund=5a3b0f1e-0000-4000-8000-000000000001&with=5a3b0f1e-0000-4000-8000-000000000004',
  payments: 'view=payments',
  'payments-stacked': 'view=payments&series=pos-transactions-quarterly-volume',
  'payments-lines': 'view=payments&series=settlement-transactions-value',
  'payments-shares': 'view=payments&series=mobile-money-market-share-value',
  'payments-multiples': 'view=payments&series=branchless-banking-agents',
  ledger: 'view=ledger',
  'ledger-revision': 'view=ledger&revision=14',
  historical: 'view=market&asof=2026-06-20T00:00:00Z',
};

const SIZES = { phone: { width: 360, height: 780 }, wide: { width: 1600, height: 1000 } } as const;
const FOLDER = join(import.meta.dirname, '../.screenshots');

installChromium();
const executablePath = findChromium();
if (!executablePath) throw new Error(`there is no Chromium: ${explainMissingChromium()}`);
mkdirSync(FOLDER, { recursive: true });
const service = await startTestServer(await createSampleStore());
const browser = await chromium.launch({ executablePath });
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      const take = async (name: string) => {
        await page.waitForLoadState('networkidle');
        const path = join(FOLDER, `${name}-${size}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
        console.log(path);
      };
      await page.goto(service.address);
      await take('sign-in');
      for (const [name, params] of Object.entries(VIEWS)) {
        await page.goto(`${service.address}/?${params}#token=${TOKEN}`);
        await page.locator('main#view').waitFor();
        await take(name);
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await service.stop();
}
