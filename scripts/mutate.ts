// Puts faults into a copy of the program, one at a time, and runs the tests that should find each:
// npm run mutate [--list] [PART OF A SYMBOL OR FILE NAME]… Any survivor fails the run.
// --list says where each would be put, and runs nothing.
// npm run mutate -- --random 60 [--seed 7] [--since COMMIT] [FOLDER]… makes faults of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateMutant, type Mutant, readSources } from './locate-mutant.ts';
import { MutantTree } from './mutant-tree.ts';
import { runRandomMutants } from './random-mutants.ts';

interface TestedMutant extends Mutant {
  /** The arguments of `bun test`. */
  readonly tests: readonly string[];
}

if (process.argv.includes('--random')) process.exit(await runRandomMutants(process.argv.slice(2)));

const ROOT = join(import.meta.dirname, '..');
const MAX_SECONDS = 150;

const mutants = JSON.parse(readFileSync(join(ROOT, 'test/mutants.json'), 'utf8')) as TestedMutant[];
const sources = readSources(ROOT);
const files = new Map(mutants.map((mutant) => [mutant, locateMutant(sources, mutant).file]));
const parts = process.argv.slice(2).filter((argument) => argument !== '--list');
const selected = mutants.filter(
  (mutant) => parts.length === 0 || parts.some((part) => formatPlace(mutant).includes(part)),
);
if (process.argv.includes('--list')) {
  for (const mutant of selected) console.log(formatMutant(mutant));
  process.exit();
}
const tree = new MutantTree();
const start = performance.now();
/** By the tests that are run: whether they pass without any fault. */
const passing = new Map<string, boolean>();
const survivors = selected.filter((mutant) => !isFound(mutant));
tree.remove();
const share = Math.floor((1 - survivors.length / Math.max(1, selected.length)) * 100);
const minutes = Math.round((performance.now() - start) / 60_000);
const count = selected.length - survivors.length;
console.log(`${count} of ${selected.length} found (${share} %) in ${minutes} minutes`);
process.exit(survivors.length > 0 ? 1 : 0);

function isFound(mutant: TestedMutant): boolean {
  const outcome = test(mutant);
  console.log(`${formatMutant(mutant)}: ${outcome}`);
  return outcome === 'found';
}

function formatMutant(mutant: TestedMutant): string {
  const { text, replacement } = mutant;
  return `${formatPlace(mutant)}: ${JSON.stringify(text)} → ${JSON.stringify(replacement)}`;
}

function formatPlace(mutant: TestedMutant): string {
  return `${files.get(mutant)} ${mutant.symbol}`;
}

function test(mutant: TestedMutant): string {
  const { tests } = mutant;
  const key = tests.join(' ');
  const passes = passing.get(key) ?? runTests(tests, (output) => console.error(output));
  passing.set(key, passes);
  if (!passes) return `${key} fails without any fault`;
  const takeOut = tree.apply(mutant);
  const isSurvivor = runTests(tests);
  takeOut();
  return isSurvivor ? 'survives' : 'found';
}

function runTests(tests: readonly string[], onFailure?: (output: string) => void): boolean {
  const options = ['--timeout', '60000', '--bail', '--only-failures'];
  const { success, stderr } = Bun.spawnSync([process.execPath, 'test', ...options, ...tests], {
    cwd: tree.folder,
    timeout: MAX_SECONDS * 1_000,
  });
  if (!success) onFailure?.(stderr.toString());
  return success;
}
