// Puts faults into a copy of the program, one at a time, and runs the tests that should find each:
// npm run mutate [PART OF A FILE NAME]… Survivors without a reason fail the run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mutant, MutantTree } from './mutant-tree.ts';

interface TestedMutant extends Mutant {
  /** The arguments of `bun test`. */
  readonly tests: readonly string[];
  /** Why no test finds it. */
  readonly survives?: string;
}

const ROOT = join(import.meta.dirname, '..');
const MAX_SECONDS = 150;

const mutants = JSON.parse(readFileSync(join(ROOT, 'test/mutants.json'), 'utf8')) as TestedMutant[];
const parts = process.argv.slice(2);
const selected = mutants.filter(
  ({ file }) => parts.length === 0 || parts.some((part) => file.includes(part)),
);
const tree = new MutantTree();
for (const tests of new Map(selected.map(({ tests }) => [tests.join(' '), tests])).values())
  if (!runTests(tests)) throw new Error(`${tests.join(' ')} fails without any fault`);
const survivors = selected.filter((mutant) => !isFound(mutant));
tree.remove();
const share = Math.round((1 - survivors.length / Math.max(1, selected.length)) * 100);
console.log(`${selected.length - survivors.length} of ${selected.length} found (${share} %)`);
process.exit(survivors.some(({ survives }) => survives === undefined) ? 1 : 0);

function isFound(mutant: TestedMutant): boolean {
  const { file, tests, replacement, survives } = mutant;
  const takeOut = tree.apply(mutant);
  const success = runTests(tests);
  takeOut();
  const outcome = success ? `survives${survives ? `: ${survives}` : ''}` : 'found';
  console.log(
    `${file}: ${JSON.stringify(mutant.text)} → ${JSON.stringify(replacement)}: ${outcome}`,
  );
  return !success;
}

function runTests(tests: readonly string[]): boolean {
  const command = [process.execPath, 'test', '--timeout', '60000', '--bail', ...tests];
  return Bun.spawnSync(command, { cwd: tree.folder, timeout: MAX_SECONDS * 1_000 }).success;
}
