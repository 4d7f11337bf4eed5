import { join } from 'node:path';
import type { Browser, CDPSession } from 'playwright-core';
import { quotes } from '../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { publishRecords } from '../src/publish/publish-records.ts';
import { openStore } from '../src/store/open-store.ts';
import { FOLDER, generateRecord } from './million-quotes.ts';
import type { ResultRow } from './result-table.ts';
import { startTenor, TOKEN } from './server-processes.ts';

const SECURITIES = 10_000;
const DAYS = ['2025-06-30', '2026-05-29', '2026-06-30'];
const AIM_MS = 100;
/** What an act causes is over after this. */
const SETTLE_MS = 600;

/** The longest task of the market view in each thing that people do with 10,000 quotes on a day. */
export async function measureMarketTasks(browser: Browser): Promise<ResultRow[]> {
  const server = await startTenor(await createCrowdedDatabase());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${server.address}/?view=ledger#token=${TOKEN}`);
  await page.locator('tbody tr').first().waitFor();
  const client = await page.context().newCDPSession(page);
  const rows: ResultRow[] = [];
  const measure = async (name: string, act: () => Promise<void>) => {
    const longest = await findLongestTask(client, async () => {
      await act();
      await page.waitForTimeout(SETTLE_MS);
    });
    rows.push({
      label: `explorer, ${SECURITIES} quotes, longest task: ${name}`,
      measured: `${longest.toFixed(0)} ms`,
      baseline: `${AIM_MS} ms`,
      ratio: longest / AIM_MS,
      aim: '< 1',
    });
  };
  await measure('opening', async () => {
    await page.getByRole('link', { name: 'Market' }).click();
    await page.getByRole('heading', { name: '10,000 of 10,000 quotes' }).waitFor();
  });
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByLabel('Symbol or ISIN').focus();
  await measure('typing four letters', () => page.keyboard.type('s123', { delay: 150 }));
  await measure('deleting them', async () => {
    for (let letters = 0; letters < 4; letters++) await page.keyboard.press('Backspace');
  });
  const buttons = { 'choosing a type': 'T-bills', sorting: /^Yield %/, comparing: /^Year$/ };
  for (const [name, label] of Object.entries(buttons)) {
    const button = page.getByRole('button', { name: label });
    await measure(name, () => button.dispatchEvent('click'));
  }
  const box = await page.locator('.curve .plot').boundingBox();
  if (!box) throw new Error('the curve is not drawn');
  await measure('pointing', async () => {
    for (let step = 0; step < 20; step++)
      await page.mouse.move(box.x + 100 + step * 20, box.y + box.height / 2);
  });
  await server.stop();
  return rows;
}

async function createCrowdedDatabase(): Promise<string> {
  const url = `sqlite:${join(FOLDER, 'crowded-days.db')}`;
  const publisher = (await openStore(url, catalogue)).publisher();
  const records = DAYS.flatMap((date, day) =>
    Array.from({ length: SECURITIES }, (_, security) => ({
      ...generateRecord(date, day, `S${SECURITIES + security}`, security),
      maturityYears: (security + 1) / 500,
    })),
  );
  const publication = { source: 'bench', author: 'bench', sample: true };
  await publishRecords(publisher, { ...publication, dataset: quotes, records });
  publisher.close();
  return url;
}

interface TraceEvent {
  readonly name: string;
  /** Time of the thread's own, in microseconds: not that of others on a busy machine. */
  readonly tdur?: number;
}

/** The time of the longest task of a page in milliseconds. */
async function findLongestTask(client: CDPSession, act: () => Promise<void>): Promise<number> {
  let longest = 0;
  const collect = ({ value }: { value: readonly unknown[] }) => {
    for (const { name, tdur = 0 } of value as readonly TraceEvent[])
      if (name === 'RunTask') longest = Math.max(longest, tdur / 1000);
  };
  client.on('Tracing.dataCollected', collect);
  const includedCategories = ['toplevel', 'disabled-by-default-devtools.timeline'];
  await client.send('Tracing.start', {
    traceConfig: { includedCategories },
    transferMode: 'ReportEvents',
  });
  await act();
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.end');
  await complete;
  client.off('Tracing.dataCollected', collect);
  if (longest === 0) throw new Error('no task was recorded');
  return longest;
}
