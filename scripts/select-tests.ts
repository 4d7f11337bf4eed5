// Which tests may find a fault: by what each ran when it was last run with coverage, which is kept.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const KEPT = join(ROOT, 'node_modules/.cache/tenor-coverage');
const MAX_SECONDS = 200;

/** A run of a file of tests without any fault. */
interface TestRun {
  readonly test: string;
  /** Of the text of the test. */
  readonly digest: string;
  readonly passes: boolean;
  readonly seconds: number;
  /** By source file: its digest, and pairs of the first and last line of what was run. */
  readonly sources: Readonly<Record<string, readonly [digest: string, ...lines: number[]]>>;
}

/** The tests to run for a fault, those that should find it soonest first. */
export interface SelectedTest {
  readonly test: string;
  readonly seconds: number;
}

export const digest = (path: string): string =>
  Bun.hash(readFileSync(join(ROOT, path))).toString(36);

/** The runs of the tests of `npm test`, two at a time unless they are kept. */
export async function readTestRuns(environment: Record<string, string>): Promise<TestRun[]> {
  mkdirSync(KEPT, { recursive: true });
  const tests = [...new Bun.Glob('test/**/*.test.ts').scanSync(ROOT)].sort();
  const waiting = tests.filter((test) => !test.startsWith('test/system/')).values();
  const runs: TestRun[] = [];
  const work = async () => {
    for (const test of waiting) {
      const kept = join(KEPT, `${test.replaceAll('/', '+')}.json`);
      const known = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as TestRun) : null;
      const isCurrent = known?.digest === digest(test);
      const run = isCurrent ? known : await runWithCoverage(test, environment);
      if (!isCurrent) writeFileSync(kept, JSON.stringify(run));
      runs.push(run);
    }
  };
  await Promise.all([work(), work()]);
  return runs.filter(({ passes }) => passes);
}

async function runWithCoverage(
  test: string,
  environment: Record<string, string>,
): Promise<TestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-coverage-'));
  const start = performance.now();
  const options = ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${folder}`];
  const child = Bun.spawn(
    [process.execPath, 'test', '--timeout', '300000', ...options, join(ROOT, test)],
    {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: MAX_SECONDS * 1_000,
    },
  );
  const passes = (await child.exited) === 0;
  const seconds = (performance.now() - start) / 1_000;
  const report = join(folder, 'lcov.info');
  const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
  rmSync(folder, { recursive: true });
  return { test, digest: digest(test), passes, seconds, sources: parseCoverage(text) };
}

function parseCoverage(text: string): TestRun['sources'] {
  const sources: Record<string, [string, ...number[]]> = {};
  for (const section of text.split('end_of_record')) {
    const file = /^SF:((?:src|clients)\/.*)$/m.exec(section)?.[1];
    if (file === undefined) continue;
    const ranges: number[] = [];
    for (const [, line, count] of section.matchAll(/^DA:(\d+),(\d+)$/gm)) {
      if (count === '0') continue;
      if (ranges.at(-1) === Number(line) - 1) ranges[ranges.length - 1] = Number(line);
      else ranges.push(Number(line), Number(line));
    }
    if (ranges.length > 0) sources[file] = [digest(file), ...ranges];
  }
  return sources;
}

/** The tests that ran a line, or its file if that has changed since, and those that are named like it. */
export function selectTests(runs: readonly TestRun[], file: string, line: number): SelectedTest[] {
  const current = digest(file);
  const covering = runs.filter(({ sources }) => {
    const [known, ...lines] = sources[file] ?? [];
    if (known === undefined) return false;
    return (
      known !== current ||
      lines.some((from, i) => i % 2 === 0 && from <= line && line <= (lines[i + 1] ?? 0))
    );
  });
  const rank = ({ test, seconds }: SelectedTest) => seconds / (1 + 20 * countShared(test, file));
  const selected = covering.map(({ test, seconds }) => ({ test, seconds }));
  // Servers and pages of processes of their own leave no coverage.
  const others = [...new Bun.Glob('test/**/*.test.ts').scanSync(ROOT)]
    .filter((test) => isNamedLike(test, file) && !selected.some((one) => one.test === test))
    .map((test) => ({ test, seconds: runs.find((run) => run.test === test)?.seconds ?? 20 }));
  const byRank = (a: SelectedTest, b: SelectedTest) => rank(a) - rank(b);
  return [...selected, ...others].toSorted(byRank);
}

/** Pages are tested in a browser by what people see, whatever the files are called. */
const isNamedLike = (test: string, file: string) =>
  countShared(test, file) > 0 || (file.startsWith('src/explorer/') && /browser/.test(test));

/** Words of paths that say too little. */
const COMMON = 'src test ts tsx index store read operation route http cli client system'.split(' ');

/** How many words the path of a test shares with that of a source file. */
function countShared(test: string, file: string): number {
  const words = (path: string) => path.split(/[/.-]/).map((word) => word.replace(/s$/, ''));
  const known = new Set(words(test));
  return new Set(words(file).filter((word) => known.has(word) && !COMMON.includes(word))).size;
}
