// `npm test` runs all tests except those of test/system, which `npm run test:more` runs. Paths, or
// `unit` for the quick ones, run these instead.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installChromium } from './support/chromium.ts';
import { startSharedPostgres } from './support/postgres/shared-server.ts';
import { spawnChild } from './support/spawn-child.ts';

/** Tests that start no server, browser or process. */
const UNIT_TESTS = [
  ...['bench', 'bonds', 'catalogue', 'explorer', 'formats', 'publish', 'sample', 'shared'],
  ...['tabular', 'tokens'],
  ...['architecture', 'settings'].map((name) => `${name}.test.ts`),
].map((name) => `test/${name}`);

const SLOWEST_SHOWN = 10;
const MAX_FILES_AGAIN = 10;

/** Files that take longest. They start first: one that starts last has a core to itself at the end. */
const SLOWEST = [
  ...['browser/views', 'clients/rewritten-ledger', 'contract/history', 'follow/follower'],
  ...['http/address-parameters', 'mirror/write-mirror', 'simulation/simulation'],
  ...['browser/docs', 'browser/explorer/all-views', 'browser/explorer/market-quotes'].map(inSystem),
  ...['browser/explorer/security', 'clients/python', 'clients/rewritten-ledger'].map(inSystem),
  ...['clients/typescript-package', 'docs/how-to', 'faults/damage'].map(inSystem),
  ...['faults/postgres-replicas', 'faults/served-damage'].map(inSystem),
].map((name) => `test/${name}.test.ts`);

const missing = SLOWEST.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`SLOWEST names what does not exist: ${missing.join(', ')}`);

const [half = '', ...args] = process.argv.slice(2);
const named = args.flatMap((arg) => (arg === 'unit' ? UNIT_TESTS : [arg]));
if (!args.includes('unit')) installChromium();
const postgres = named.length === 0 ? await startSharedPostgres() : undefined;
const folder = mkdtempSync(join(tmpdir(), 'tenor-run-'));
const report = join(folder, 'junit.xml');
const files = named.length > 0 ? named : listTests(half);
const timings = join(folder, 'timings.json');
const estimates = files.map((file) => [file, SLOWEST.includes(file) ? 60_000 : 1_000]);
writeFileSync(timings, JSON.stringify({ version: 1, files: Object.fromEntries(estimates) }));
let { status, output } = await runTests(files, report);
const failed = existsSync(report) ? listFailedFiles(report, output) : [];
if (existsSync(report)) printSummary(report);
if (status !== 0 && canRunAgain(failed)) {
  process.stderr.write(`\nOnce more, one after the other: ${failed.join(', ')}\n`);
  ({ status } = await runTests(failed, join(folder, 'again.xml'), 1));
  const result = status === 0 ? 'passed when they ran alone, so they depend on time' : 'failed';
  process.stderr.write(`\nFiles that failed beside others ${result}: ${failed.join(', ')}\n`);
}
await postgres?.stop();
rmSync(folder, { recursive: true });
process.exit(status);

/** Runs files, and returns the exit status and what was printed. */
async function runTests(
  paths: readonly string[],
  outfile: string,
  // Four processes use two cores while tests wait; with more, databases and browsers wait for a
  // core.
  processes = 4,
): Promise<{ status: number; output: string }> {
  const child = spawnChild(
    [
      ...[process.execPath, 'test'],
      // Without isolation, the files of a process share one browser.
      ...[`--parallel=${processes}`, '--no-isolate', '--timeout', '300000'],
      ...['--reporter=junit', `--reporter-outfile=${outfile}`],
      `--timings=${timings}`,
      ...paths,
    ],
    {
      stdio: ['inherit', 'inherit', 'pipe'],
      env: { ...process.env, ...postgres?.environment, TENOR_TEST_RUN_FOLDER: folder },
    },
  );
  const decoder = new TextDecoder();
  let output = '';
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk);
    output += decoder.decode(chunk, { stream: true });
  }
  return { status: await child.exited, output };
}

/** Whether files may run once more, alone: one of ten thousand tests is late on a busy machine. */
function canRunAgain(failed: readonly string[]): boolean {
  return named.length === 0 && failed.length > 0 && failed.length <= MAX_FILES_AGAIN;
}

/** The files with a failure in the report or an error outside of tests, and those not reported. */
function listFailedFiles(path: string, output: string): string[] {
  const suites = readFileSync(path, 'utf8').matchAll(
    /^ {2}<testsuite .*?file="([^"]+)".*? failures="(\d+)"/gm,
  );
  const passed = new Set<string>();
  for (const [, file = '', failures] of suites) if (failures === '0') passed.add(file);
  const outputs = output.split(/^(test\/.*\.test\.ts):$/m).slice(1);
  for (const [index, text] of outputs.entries())
    if (text.includes('# Unhandled error')) passed.delete(outputs[index - 1] ?? '');
  return files.filter((file) => !passed.has(file));
}

function inSystem(name: string): string {
  return `system/${name}`;
}

/** The files of a half of the suite: those of `test/system`, or all others. */
function listTests(name: string): string[] {
  const files = [...new Bun.Glob('test/**/*.test.ts').scanSync()];
  return files.filter((file) => file.startsWith('test/system/') === (name === 'system')).sort();
}

/** Writes how long the slowest files took, and how many tests passed. */
function printSummary(path: string): void {
  const text = readFileSync(path, 'utf8');
  const files = [...text.matchAll(/^ {2}<testsuite .*?file="([^"]+)".*? time="([\d.]+)"/gm)]
    .map(([, file = '', seconds]) => ({ file, seconds: Number(seconds) }))
    .sort((a, b) => b.seconds - a.seconds);
  if (files.length > SLOWEST_SHOWN) {
    const slowest = files.slice(0, SLOWEST_SHOWN);
    const lines = slowest.map(
      ({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`,
    );
    process.stderr.write(`\nThe slowest files:\n${lines.join('\n')}\n`);
  }
  const [tests = 0, failures = 0, skipped = 0, seconds = 0] = [
    ...['tests', 'failures', 'skipped', 'time'],
  ].map((name) => Number(new RegExp(`<testsuites .*?${name}="([\\d.]+)"`).exec(text)?.[1]));
  const passed = tests - failures - skipped;
  process.stderr.write(
    `\n${passed} passed, ${failures} failed, ${skipped} skipped in ${seconds.toFixed(0)} s\n`,
  );
}
