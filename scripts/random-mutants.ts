// Random faults, made from the syntax of the program, for the tests that ran what they change.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { API, type Snapshot } from 'typescript/unstable/async';
import { startSharedPostgres } from '../test/support/postgres/shared-server.ts';
import { type Fault, listFaults } from './list-faults.ts';
import { readSources } from './locate-mutant.ts';
import { MutantTree } from './mutant-tree.ts';
import { createRandom } from './sample/random.ts';
import { readTestRuns, type SelectedTest, selectTests } from './select-tests.ts';

const ROOT = join(import.meta.dirname, '..');
const EQUIVALENT = join(ROOT, 'test/equivalent-mutants.json');

/** How much more often a changed line gets a fault. */
const CHANGED_WEIGHT = 8;
/** Tests of a first run take so long, and of a second one with what else is related. */
const [FIRST_SECONDS, SECOND_SECONDS] = [15, 120];

/** What a fault makes of a line. */
interface EquivalentFault {
  readonly file: string;
  readonly line: string;
  readonly becomes: string;
  readonly reason: string;
}

interface PlacedFault extends Fault {
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

interface ChosenFault extends PlacedFault {
  /** By the compiler, so that no test needs to find it. */
  readonly isRejected: boolean;
}

/** Runs the command; returns its exit status. */
export async function runRandomMutants(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      random: { type: 'string' },
      seed: { type: 'string', default: '1' },
      since: { type: 'string' },
    },
  });
  const count = Number(values.random);
  if (!Number.isInteger(count) || count < 1)
    throw new Error('--random must be a whole number from 1');
  const start = performance.now();
  const faults = await chooseFaults(count, values.seed, positionals, values.since);
  const postgres = await startSharedPostgres();
  const environment = postgres?.environment ?? {};
  const running = faults.filter(({ isRejected }) => !isRejected);
  const runs = await readTestRuns(environment);
  const waiting = running.entries();
  const survivors: PlacedFault[] = [];
  const work = async () => {
    const tree = new MutantTree();
    for (const [index, fault] of waiting) {
      const tests = selectTests(runs, fault.file, fault.line);
      const finder = await findFault(tree, fault, tests, environment);
      console.log(
        `${index + 1}: ${formatFault(fault)}\n  ${finder ? `found by ${finder}` : 'survives'}`,
      );
      if (!finder) survivors.push(fault);
    }
    tree.remove();
  };
  await Promise.all([work(), work()]);
  await postgres?.stop();
  const found = faults.length - survivors.length;
  const minutes = ((performance.now() - start) / 60_000).toFixed(1);
  console.log(`\nSurvivors:\n${survivors.map(formatFault).join('\n')}`);
  const share = Math.floor((found / faults.length) * 100);
  const rejected = faults.length - running.length;
  console.log(
    `${found} of ${faults.length} found (${share} %), ${rejected} of them by the compiler, in ${minutes} minutes`,
  );
  return survivors.length > 0 ? 1 : 0;
}

/** Random faults, no two in one line, in files of the folders. */
async function chooseFaults(
  count: number,
  seed: string,
  folders: readonly string[],
  since?: string,
): Promise<ChosenFault[]> {
  const changes = new Map<string, string>();
  const api = new API({ cwd: ROOT, fs: { readFile: (path) => changes.get(path) } });
  const projects = ['tsconfig.json', 'src/explorer/tsconfig.json'].map((path) => join(ROOT, path));
  const snapshot = await api.updateSnapshot({ openProjects: projects });
  const getProject = (of: Snapshot, file: string) =>
    of.getProject(projects[file.startsWith('src/explorer/') ? 1 : 0] ?? '');
  const compiles = async ({ file, start, end, replacement }: PlacedFault) => {
    const path = join(ROOT, file);
    const text = sources.get(file) ?? '';
    changes.set(path, text.slice(0, start) + replacement + text.slice(end));
    const next = await api.updateSnapshot({ fileChanges: { changed: [path] } });
    const problems = await getProject(next, file)?.program.getSemanticDiagnostics(path);
    changes.delete(path);
    await api.updateSnapshot({ fileChanges: { changed: [path] } });
    return problems?.length === 0;
  };
  const sources = readSources(ROOT);
  const changed = listChangedLines(since);
  const equivalent: EquivalentFault[] = existsSync(EQUIVALENT)
    ? JSON.parse(readFileSync(EQUIVALENT, 'utf8'))
    : [];
  const candidates: { fault: PlacedFault; rank: number; isSameType(): Promise<boolean> }[] = [];
  const { uniform } = createRandom(seed);
  for (const [file, text] of sources) {
    if (folders.length > 0 && !folders.some((folder) => file.startsWith(folder))) continue;
    if (/^src\/client\/generated|^clients/.test(file)) continue;
    const project = getProject(snapshot, file);
    const source = await project?.program.getSourceFile(join(ROOT, file));
    if (!project || !source) continue;
    for (const fault of listFaults(file, source)) {
      const placed = placeFault(fault, text);
      const weight = changed.has(`${file}:${placed.line}`) ? CHANGED_WEIGHT : 1;
      const rank = uniform() ** (1 / weight);
      const isSameType = async () => {
        if (!fault.sameType) return true;
        const types = await project.checker.getTypeAtLocation(fault.sameType);
        const names = await Promise.all(
          types.map((type) => type && project.checker.typeToString(type)),
        );
        return names[0] === names[1];
      };
      candidates.push({ fault: placed, rank, isSameType });
    }
  }
  const chosen: ChosenFault[] = [];
  for (const { fault, isSameType } of candidates.toSorted((a, b) => b.rank - a.rank)) {
    if (chosen.length === count) break;
    const { file, line, before, after } = fault;
    if (before === after || chosen.some((one) => one.file === file && one.line === line)) continue;
    if (equivalent.some((one) => one.file === file && one.line === before && one.becomes === after))
      continue;
    if (await isSameType()) chosen.push({ ...fault, isRejected: !(await compiles(fault)) });
  }
  await api.close();
  return chosen;
}

function placeFault(fault: Fault, text: string): PlacedFault {
  const from = text.lastIndexOf('\n', fault.start - 1) + 1;
  const lineEnd = text.indexOf('\n', fault.end);
  const to = lineEnd < 0 ? text.length : lineEnd;
  const after = text.slice(from, fault.start) + fault.replacement + text.slice(fault.end, to);
  return {
    ...fault,
    line: text.slice(0, fault.start).split('\n').length,
    before: text.slice(from, to).trim(),
    after: after.trim(),
  };
}

/** Lines, such as `src/a.ts:7`, that are not as they were at a commit. */
function listChangedLines(since: string | undefined): ReadonlySet<string> {
  const lines = new Set<string>();
  if (since === undefined) return lines;
  const { stdout } = Bun.spawnSync(['git', 'diff', '-U0', since, '--', 'src', 'clients'], {
    cwd: ROOT,
  });
  let file = '';
  for (const text of stdout.toString().split('\n')) {
    file = /^\+\+\+ b\/(.*)$/.exec(text)?.[1] ?? file;
    const [, from, many] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(text) ?? [];
    for (let index = 0; from !== undefined && index < Number(many ?? 1); index++)
      lines.add(`${file}:${Number(from) + index}`);
  }
  return lines;
}

/** Files of tests that fail without any fault, and those that do not. */
const soundness = new Map<string, boolean>();

/** Runs first what should find a fault soon, then everything related; returns what finds it. */
async function findFault(
  tree: MutantTree,
  fault: PlacedFault,
  tests: readonly SelectedTest[],
  environment: Record<string, string>,
): Promise<string | undefined> {
  const first = takeSeconds(tests, FIRST_SECONDS);
  for (const some of [first, takeSeconds(tests.slice(first.length), SECOND_SECONDS)])
    for (let left = some; left.length > 0; ) {
      const takeOut = tree.replace(fault);
      const failed = await runTests(tree, left, environment);
      takeOut();
      if (!failed) break;
      const { test } = failed;
      if (!soundness.has(test)) {
        const again = await runTests(tree, [{ test, seconds: SECOND_SECONDS }], environment);
        soundness.set(test, again === undefined);
      }
      if (soundness.get(test)) return failed.name;
      left = left.filter((each) => each.test !== test && soundness.get(each.test) !== false);
    }
  return undefined;
}

/** The first tests, whose runs together take no longer. */
function takeSeconds(tests: readonly SelectedTest[], seconds: number): readonly SelectedTest[] {
  let left = seconds;
  return tests.filter((test, index) => {
    left -= test.seconds;
    return index === 0 || left >= 0;
  });
}

/** The file and name of the test that fails first; of a file that breaks off or does not end, its own. */
async function runTests(
  tree: MutantTree,
  tests: readonly SelectedTest[],
  environment: Record<string, string>,
): Promise<{ test: string; name: string } | undefined> {
  const paths = tests.map(({ test }) => `./${test}`);
  const seconds = tests.reduce((total, test) => total + test.seconds, 0);
  const options = ['--timeout', '300000', '--bail', '--only-failures'];
  const child = Bun.spawn([process.execPath, 'test', ...options, ...paths], {
    cwd: tree.folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: Math.ceil(60 + 4 * seconds) * 1_000,
  });
  const output = await new Response(child.stderr).text();
  if ((await child.exited) === 0) return undefined;
  const [before = '', name] = output.split(/^\(fail\) (.*)$/m);
  const test = [...before.matchAll(/^(?:\.\/)?(test\/.*\.test\.ts):$/gm)].at(-1)?.[1];
  return { test: test ?? tests[0]?.test ?? '', name: `${test}: ${name ?? 'no end'}` };
}

function formatFault({ file, line, before, after }: PlacedFault): string {
  const lines = (mark: string, text: string) =>
    text
      .split('\n')
      .map((one) => `  ${mark} ${one.trim()}`)
      .join('\n');
  return `${file}:${line}\n${lines('-', before)}\n${lines('+', after)}`;
}
