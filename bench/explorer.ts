import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { quotes } from '../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { publishRecords } from '../src/publish/publish-records.ts';
import { openStore } from '../src/store/open-store.ts';
import { findChromium } from '../test/support/chromium.ts';
import { FOLDER, lastWeekdays, record } from './million-quotes.ts';
import { median, type Row } from './result-table.ts';
import { ours, TOKEN } from './server-processes.ts';

const TEN_YEARS = 2_610;
const VISITS = 7;
const MOVES = 240;

/** The explorer in a browser: what it weighs, when it is there, and how it moves. */
export async function explorer(): Promise<Row[]> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('there is no Chromium to measure with');
  const browser = await chromium.launch({ executablePath });
  try {
    const sample = `sqlite:${join(FOLDER, 'sample.db')}`;
    return [...(await firstView(browser, sample)), await fluency(browser, await tenYears())];
  } finally {
    await browser.close();
  }
}

/** Visitors who come for the first time, to a server that was just started. */
async function firstView(browser: Browser, databaseUrl: string): Promise<Row[]> {
  const server = await ours(databaseUrl);
  const times: number[] = [];
  let kilobytes = 0;
  for (let visit = 0; visit < VISITS; visit++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    let bytes = 0;
    page.on('requestfinished', async (request) => {
      // What the page is made of; not the data, which is the visitor's own matter.
      if (!/\/(explorer\/.*|docs\/icon\.svg)?(\?.*)?$/.test(request.url())) return;
      bytes += (await request.sizes()).responseBodySize;
    });
    const begun = performance.now();
    await page.goto(`${server.address}/#token=${TOKEN}`);
    await page.locator('.point').first().waitFor();
    times.push(performance.now() - begun);
    await page.waitForLoadState('networkidle');
    kilobytes = Math.max(kilobytes, bytes / 1000);
    await context.close();
  }
  await server.stop();
  const [first = Number.NaN] = times;
  const row = (what: string, ms: number): Row => ({
    what,
    measured: `${(ms / 1000).toFixed(2)} s`,
    against: '1 s',
    ratio: ms / 1000,
    aim: '< 1',
  });
  return [
    {
      what: 'explorer, first view: page, script, style and icon as sent',
      measured: `${kilobytes.toFixed(0)} KB`,
      against: '250 KB',
      ratio: kilobytes / 250,
      aim: '< 1',
    },
    row('explorer, first visit after a start to the drawn curve', first),
    row(`explorer, median of the next ${VISITS - 1} first visits`, median(times.slice(1))),
  ];
}

/** A database with one security that was quoted on every weekday of ten years. */
async function tenYears(): Promise<string> {
  const url = `sqlite:${join(FOLDER, 'ten-years.db')}`;
  const store = await openStore(url, catalogue);
  const publisher = store.publisher();
  const days = lastWeekdays('2026-06-30', TEN_YEARS);
  const records = days.map((date, day) => record(date, day, 'TENYEARS', 1));
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

/** How long frames take while a mouse moves over four charts of ten years. */
async function fluency(browser: Browser, databaseUrl: string): Promise<Row> {
  const server = await ours(databaseUrl);
  const page = await (
    await browser.newContext({ viewport: { width: 1600, height: 1000 } })
  ).newPage();
  await page.goto(`${server.address}/?view=security&symbol=TENYEARS&span=All#token=${TOKEN}`);
  const chart = page.locator('.plot').first();
  await chart.waitFor();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (!box) throw new Error('the chart is not drawn');
  const drawn = await page.locator('path.line').first().getAttribute('d');
  const points = drawn?.split('L').length;
  const frames = await framesWhile(page, async () => {
    for (let move = 0; move < MOVES; move++) {
      await page.mouse.move(box.x + 60 + (move / MOVES) * (box.width - 80), box.y + box.height / 2);
    }
  });
  await server.stop();
  const late = frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? Number.NaN;
  return {
    what: `explorer, four charts of ${TEN_YEARS} days under a moving mouse: 95 % of frames within`,
    measured: `${late.toFixed(1)} ms (median ${median(frames).toFixed(1)} ms; ${points} drawn)`,
    against: '33.4 ms (30 a second)',
    ratio: late / 33.4,
    aim: '< 1',
  };
}

/** The time from each frame to the next while something is done. */
async function framesWhile(page: Page, operation: () => Promise<void>): Promise<number[]> {
  await page.evaluate(`
    globalThis.frames_ = [];
    let last = performance.now();
    const tick = (now) => { frames_.push(now - last); last = now; requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
  `);
  await operation();
  return page.evaluate('frames_.slice(1)');
}
