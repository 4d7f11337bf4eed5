import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUTHORIZATION_HEADERS, ROOT } from '../server-processes.ts';
import { Comparison, fetchEvents } from './compare-responses.ts';
import { type ComparedEngine, ENGINES } from './engines.ts';
import { listRequests } from './list-requests.ts';
import { publishHistory } from './publish-history.ts';
import { Release } from './release.ts';
import type { DatabaseContent } from './request-generator.ts';

/** How many requests are sent at a time, each to both servers. */
const CONCURRENCY = 4;
const MOST_PAGES = 4;
const MOST_SHOWN = 20;

export interface ComparedReleases {
  /** The folder of the checkout that makes the database, with its packages. */
  readonly earlier: string;
  /** Names of engines; all that there are, without any. */
  readonly engines: readonly string[];
  readonly seed: number;
  /** Headers that one of the two has, or has otherwise, on purpose. */
  readonly ignoredHeaders: readonly string[];
}

/**
 * Has an earlier release publish a history, and serve a copy of it; migrates it, and serves it from
 * this tree. Returns whether both responded with the same bytes to every request.
 */
export async function compareReleases(releases: ComparedReleases): Promise<boolean> {
  const { engines } = releases;
  let isSame = true;
  for (const [name, engine] of Object.entries(ENGINES)) {
    if (engines.length > 0 && !engines.includes(name)) continue;
    const missing = engine.explainMissing();
    if (missing) console.log(`${name} is skipped: ${missing}`);
    else isSame = (await compareOn(name, engine, releases)) && isSame;
  }
  return isSame;
}

async function compareOn(name: string, engine: ComparedEngine, releases: ComparedReleases) {
  const { earlier, seed } = releases;
  const folder = mkdtempSync(join(tmpdir(), 'tenor-releases-'));
  const started = performance.now();
  const log = (text: string) =>
    console.error(`${name}: ${text}, ${Math.round((performance.now() - started) / 1_000)} s`);
  const urls = [await engine.createDatabase(folder), await engine.createDatabase(folder)] as const;
  const servers: { stop(): Promise<void> }[] = [];
  try {
    const original = new Release(earlier, urls[0]);
    const copy = new Release(earlier, urls[1]);
    const migrated = new Release(ROOT, urls[0]);
    await engine.prepare(original);
    const names = await publishHistory(original, folder, seed);
    log('published the history');
    await engine.prepare(copy);
    await copy.run('move', '--from', urls[0]);
    await migrated.run('migrate');
    await migrated.run('check');
    for (const url of urls) await engine.analyze(url);
    log('copied and migrated it');
    const [first, second] = [await copy.serve('off'), await migrated.serve('off')];
    servers.push(first, second);
    const comparison = new Comparison(first.address, second.address, releases.ignoredHeaders);
    const stopProgress = startProgress(comparison, log);
    await sendRequests(comparison, names, seed).finally(stopProgress);
    log('sent the requests');
    printComparison(name, seed, comparison);
    return comparison.differences.length === 0;
  } finally {
    for (const server of servers) await server.stop();
    for (const url of urls) await engine.dropDatabase(url);
    rmSync(folder, { recursive: true });
  }
}

/** Tells every minute how far it is. */
function startProgress(comparison: Comparison, log: (text: string) => void): () => void {
  const timer = setInterval(() => {
    const { requests, differing } = comparison;
    log(`${requests} requests, differences by ${JSON.stringify(differing)}`);
  }, 60_000);
  return () => clearInterval(timer);
}

async function sendRequests(comparison: Comparison, names: readonly string[], seed: number) {
  const { earlier, later } = comparison;
  const document = await fetchJson(`${earlier}/openapi.json`);
  const widgets = Object.values(await fetchJson(`${earlier}/widgets.json`)).map(
    (widget) => `/${(widget as { endpoint: string }).endpoint}`,
  );
  const content = await readContent(earlier, names);
  const requests = listRequests(document, content, widgets, seed);
  const queue = requests[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const request of queue) await comparison.compare(request, MOST_PAGES);
    }),
  );
  const newest = content.instants.length;
  for (const after of [0, Math.floor(newest / 2), newest - 1]) {
    const replies = [earlier, later].map((address) => fetchEvents(address, after, newest));
    const [first, second] = await Promise.all(replies);
    const headers = { 'last-event-id': String(after) };
    if (first && second)
      comparison.record({ method: 'GET', target: '/events', headers }, first, second);
  }
}

async function readContent(address: string, names: readonly string[]): Promise<DatabaseContent> {
  const readTexts = async (target: string, name: string): Promise<string[]> => {
    const { data } = await fetchJson(address + target);
    const values = (data as Record<string, string | null>[]).map((entry) => entry[name]);
    return values.filter((value) => typeof value === 'string');
  };
  const securities = '/2.0/bnb/securities?limit=40';
  const revisions = '/revisions?limit=10000';
  return {
    symbols: [
      ...names,
      ...(await readTexts(securities, 'symbol')),
      ...(await readTexts(securities, 'isin')),
    ],
    fundIds: await readTexts('/3.0/funds', 'fund_id'),
    instants: (await readTexts(revisions, 'publishedAt')).toReversed(),
    changedDatasets: (await readTexts(revisions, 'dataset')).toReversed(),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of several kinds
async function fetchJson(url: string): Promise<any> {
  return (await fetch(url, { headers: AUTHORIZATION_HEADERS })).json();
}

function printComparison(name: string, seed: number, comparison: Comparison): void {
  const { requests, differences, differing, statuses } = comparison;
  const shortestFirst = differences.toSorted(
    (a, b) => a.request.target.length - b.request.target.length,
  );
  for (const { text } of shortestFirst.slice(0, MOST_SHOWN)) console.log(`${text}\n`);
  console.log(
    `${name}, seed ${seed}: ${requests} requests (${JSON.stringify(statuses)}), ` +
      `${differences.length} differences (by ${JSON.stringify(differing)})`,
  );
}
