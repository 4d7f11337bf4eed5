import { join } from 'node:path';
import { quotes } from '../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { publishRecords } from '../src/publish/publish-records.ts';
import { openStore } from '../src/store/open-store.ts';
import { generateQuotes } from './generate-quotes-file.ts';
import { DAILY_REVISIONS, publishHistory } from './history-database.ts';
import { removeDatabase } from './loads.ts';
import { FOLDER, listWeekdays } from './million-quotes.ts';
import { formatLimitRow, type ResultRow } from './result-table.ts';
import { startTenor, TOKEN } from './server-processes.ts';

const REVISIONS = DAILY_REVISIONS + 2;
/** At most twice the time of publishing them, and two seconds behind. */
const MAX_RATIO = 2;
const MAX_LAG_SECONDS = 2;
const LATER_DAYS = 20;

/** A follower that begins with nothing, against publishing the same; and how far it is behind then. */
export async function benchmarkFollow(): Promise<ResultRow[]> {
  const [path, ownPath] = [join(FOLDER, 'followed.db'), join(FOLDER, 'follower.db')];
  for (const each of [path, ownPath]) removeDatabase(each);
  const publisher = (await openStore(`sqlite:${path}`, catalogue)).publisher();
  const load = await measureSeconds(() => publishHistory(publisher));
  const source = await startTenor(`sqlite:${path}`);
  const settings = { FOLLOW: source.address, FOLLOW_TOKEN: TOKEN };
  const started = performance.now();
  const follower = await startTenor(`sqlite:${ownPath}`, settings);
  try {
    await waitForRevision(follower.address, REVISIONS);
    const seconds = (performance.now() - started) / 1_000;
    const lags: number[] = [];
    for (const [index, date] of listWeekdays('2026-09-30', LATER_DAYS).entries()) {
      const records = generateQuotes(date);
      await publishRecords(publisher, {
        dataset: quotes,
        records,
        source: 'bench',
        author: 'bench',
      });
      lags.push(
        await measureSeconds(() => waitForRevision(follower.address, REVISIONS + index + 1)),
      );
    }
    const most = Math.max(...lags);
    return [
      {
        label: `following ${REVISIONS} revisions with 1,000,000 quotes from the first on`,
        measured: `${seconds.toFixed(1)} s`,
        baseline: `${load.toFixed(1)} s, publishing them`,
        ratio: seconds / load,
        aim: `< ${MAX_RATIO}`,
      },
      formatLimitRow(
        `behind the source after a day was published, the longest of ${LATER_DAYS}`,
        `${most.toFixed(2)} s`,
        most,
        MAX_LAG_SECONDS,
        's',
      ),
    ];
  } finally {
    publisher.close();
    await follower.stop();
    await source.stop();
    for (const each of [path, ownPath]) removeDatabase(each);
  }
}

async function measureSeconds(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1_000;
}

async function waitForRevision(address: string, revision: number): Promise<void> {
  for (;;) {
    const ready = (await (await fetch(`${address}/ready`)).json()) as { revision?: number };
    if ((ready.revision ?? 0) >= revision) return;
    await Bun.sleep(10);
  }
}
