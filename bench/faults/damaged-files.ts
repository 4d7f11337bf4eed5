// Serves damaged copies of the sample, with 1 to 200 places of 16 random bytes, and compares every
// response with those of the whole one: bun bench/faults/damaged-files.ts --files 200
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  createSampleFile,
  damageFile,
  listTargets,
  readResponses,
  type ServedFile,
  serveFile,
  waitForScrub,
} from '../../test/support/damaged-server.ts';

const { values: options } = parseArgs({
  options: { files: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const FILES = Number(options.files);
const MAX_PLACES = 200;
/** As many at a time. */
const SERVERS = 3;
/** The promise: damage is found within a minute of being read. */
const TIMEOUT_MS = 60_000;
/** The default of `SCRUB_INTERVAL`: what is found is found by looks. */
const SCRUB_INTERVAL_MS = 86_400_000;
const REVISIONS = 25;
const MAX_PLACES_OF_ROWS = [10, 50, 100, 150, MAX_PLACES];
/** Requests before anything was checked. */
const EARLY_TARGETS = 40;

const folder = mkdtempSync(join(tmpdir(), 'tenor-damage-'));
const targets = listTargets(REVISIONS, [
  'CEDARTFC2',
  'Z03FRR241128',
  'Z15PIB120838',
  'ZZ12TB221026',
]);
/** The sample is nearly all quotes; with those of a few days, damage meets the others as well. */
const samples = await Promise.all(['', '2026-06-15'].map(prepareSample));
const rows = new Map<string, Record<string, number>>();
const slowest = { seconds: 0 };
let next = 0;
await Promise.all(Array.from({ length: SERVERS }, tryFiles));
rmSync(folder, { recursive: true });
printTable();
process.exit(sum('altered') === 0 ? 0 : 1);

async function prepareSample(since: string) {
  const path = join(folder, `whole${since}.db`);
  await createSampleFile(path, since);
  const served = (await serveFile(path, SCRUB_INTERVAL_MS)) as ServedFile;
  const expected = await readResponses(served.server.address, targets);
  await served.server.stop();
  return { path, expected };
}

async function tryFiles(): Promise<void> {
  while (next < FILES) await tryFile(next++);
}

async function tryFile(index: number): Promise<void> {
  const { path: whole, expected } = samples[index % samples.length] as (typeof samples)[number];
  const places = 1 + Math.floor((index * MAX_PLACES) / FILES);
  const label = `up to ${MAX_PLACES_OF_ROWS.find((most) => places <= most)}`;
  const count = (name: string, by = 1) => {
    const row = rows.get(label) ?? {};
    rows.set(label, { ...row, [name]: (row[name] ?? 0) + by });
  };
  const path = join(folder, `${index}.db`);
  copyFileSync(whole, path);
  damageFile(path, places, `${options.seed} ${index}`);
  count('files');
  const served = await serveFile(path, SCRUB_INTERVAL_MS);
  if (served) {
    const startedMs = performance.now();
    const scrubbed = waitForScrub(served, TIMEOUT_MS);
    const early = await readResponses(served.server.address, targets.slice(0, EARLY_TARGETS));
    count('altered before', countAltered(early, expected));
    await scrubbed;
    slowest.seconds = Math.max(slowest.seconds, (performance.now() - startedMs) / 1_000);
    const late = await readResponses(served.server.address, targets);
    const values = [...late].map(([target, response]) => [response, expected.get(target)]);
    count('equal', values.filter(([response, whole]) => response === whole).length);
    count('503', values.filter(([response]) => response === 503).length);
    count('altered', countAltered(late, expected));
    const isOther = ([response, whole]: unknown[]) =>
      typeof response === 'number' && response !== 503 && response !== whole;
    count('other', values.filter(isOther).length);
    await served.server.stop();
  } else count('refused');
  for (const suffix of ['', '-wal', '-shm', '-commit']) rmSync(path + suffix, { force: true });
}

type Responses = Awaited<ReturnType<typeof readResponses>>;

function countAltered(responses: Responses, expected: Responses): number {
  return [...responses].filter(
    ([target, response]) => typeof response === 'string' && response !== expected.get(target),
  ).length;
}

function sum(name: string): number {
  return [...rows.values()].reduce((total, row) => total + (row[name] ?? 0), 0);
}

function printTable(): void {
  const columns = ['files', 'refused', 'altered before', 'equal', '503', 'other', 'altered'];
  const lines = [...rows].map(([label, row]) => [label, ...columns.map((name) => row[name] ?? 0)]);
  const total = ['all', ...columns.map(sum)];
  for (const cells of [['places', ...columns], ...lines, total]) console.log(cells.join(' | '));
  console.log(`checked at most ${slowest.seconds.toFixed(1)} s after the first request`);
}
