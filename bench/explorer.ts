import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { quotes } from '../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { publishRecords } from '../src/publish/publish-records.ts';
import { openStore } from '../src/store/open-store.ts';
import { findChromium } from '../test/support/chromium.ts';
import { measureMarketTasks } from './explorer-tasks.ts';
import { FOLDER, generateRecord, listWeekdays } from './million-quotes.ts';
import type { ResultRow } from './result-table.ts';
import { startTenor, TOKEN } from './server-processes.ts';
import { median } from './statistics.ts';

const TEN_YEARS_DAYS = 2_610;
const VISITS = 7;
const MOVES = 240;

/** The explorer in a browser: page weight, time to the first chart, frame times, long tasks. */
export async function benchmarkExplorer(): Promise<ResultRow[]> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('there is no Chromium');
  const browser = await chromium.launch({ executablePath });
  try {
    const sample = `sqlite:${join(FOLDER, 'sample.db')}`;
    return [
      ...(await measureFirstVisits(browser, sample)),
      await measureFrameTimes(browser, await createTenYearDatabase()),
      ...(await measureMarketTasks(browser)),
    ];
  } finally {
    await browser.close();
  }
}

/** First visits to a server that was just started. */
async function measureFirstVisits(browser: Browser, databaseUrl: string): Promise<ResultRow[]> {
  const server = await startTenor(databaseUrl);
  const times: number[] = [];
  let kilobytes = 0;
  for (let visit = 0; visit < VISITS; visit++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    let bytes = 0;
    page.on('requestfinished', async (request) => {
      // The page itself, not the data.
      if (!/\/(explorer\/.*|docs\/icon\.svg)?(\?.*)?$/.test(request.url())) return;
      bytes += (await request.sizes()).responseBodySize;
    });
    const started = performance.now();
    await page.goto(`${server.address}/#token=${TOKEN}`);
    await page.locator('.point').first().waitFor();
    times.push(performance.now() - started);
    // The stream of events is never over.
    await page.waitForTimeout(500);
    kilobytes = Math.max(kilobytes, bytes / 1000);
    await context.close();
  }
  await server.stop();
  const [first = Number.NaN] = times;
  const row = (label: string, ms: number): ResultRow => ({
    label,
    measured: `${(ms / 1000).toFixed(2)} s`,
    baseline: '1 s',
    ratio: ms / 1000,
    aim: '< 1',
  });
  return [
    {
      label: 'explorer, first view: page, script, style and icon as sent',
      measured: `${kilobytes.toFixed(0)} KB`,
      baseline: '250 KB',
      ratio: kilobytes / 250,
      aim: '< 1',
    },
    row('explorer, first visit after a start to the drawn curve', first),
    row(`explorer, median of the next ${VISITS - 1} first visits`, median(times.slice(1))),
  ];
}

/** Creates a database with one security, quoted on every weekday of ten years. */
async function createTenYearDatabase(): Promise<string> {
  const url = `sqlite:${join(FOLDER, 'ten-years.db')}`;
  const store = await openStore(url, catalogue);
  const publisher = store.publisher();
  const days = listWeekdays('2026-06-30', TEN_YEARS_DAYS);
  const records = days.map((date, day) => generateRecord(date, day, 'TENYEARS', 1));
  await publishRecords(publisher, {
    dataset: quotes,
    records,
    source: 'bench',
    author: 'bench',
    sample: true,
  });
  publisher.close();
  return url;
}

/** Frame times while the mouse moves over four charts of ten years. */
async function measureFrameTimes(browser: Browser, databaseUrl: string): Promise<ResultRow> {
  const server = await startTenor(databaseUrl);
  const page = await (
    await browser.newContext({ viewport: { width: 1600, height: 1000 } })
  ).newPage();
  await page.goto(`${server.address}/?view=security&symbol=TENYEARS&span=All#token=${TOKEN}`);
  const chart = page.locator('.plot').first();
  await chart.waitFor();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (!box) throw new Error('the chart is not drawn');
  const path = await page.locator('path.line').first().getAttribute('d');
  const points = path?.split('L').length;
  const frames = await recordFrames(page, async () => {
    for (let move = 0; move < MOVES; move++) {
      await page.mouse.move(box.x + 60 + (move / MOVES) * (box.width - 80), box.y + box.height / 2);
    }
  });
  await server.stop();
  const p95 = frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? Number.NaN;
  return {
    label: `explorer, four charts of ${TEN_YEARS_DAYS} days under a moving mouse: 95 % of frames within`,
    measured: `${p95.toFixed(1)} ms (median ${median(frames).toFixed(1)} ms; ${points} drawn)`,
    baseline: '33.4 ms (30 a second)',
    ratio: p95 / 33.4,
    aim: '< 1',
  };
}

/** The time between frames during an operation. */
async function recordFrames(page: Page, operation: () => Promise<void>): Promise<number[]> {
  await page.evaluate(`
    globalThis.frames_ = [];
    let last = performance.now();
    const tick = (now) => { frames_.push(now - last); last = now; requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
  `);
  await operation();
  return page.evaluate('frames_.slice(1)');
}
