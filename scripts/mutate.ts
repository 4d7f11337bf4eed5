// Puts faults into a copy of the program, one at a time, and runs the tests that should find each:
// npm run mutate [PART OF A FILE NAME]… Survivors without a reason fail the run.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Mutant {
  readonly file: string;
  /** Stands once in the file, or `occurrence` says which it is, from 0 on. */
  readonly text: string;
  readonly occurrence?: number;
  readonly replacement: string;
  /** The arguments of `bun test`. */
  readonly tests: readonly string[];
  /** Why no test finds it. */
  readonly survives?: string;
}

const ROOT = join(import.meta.dirname, '..');
const MAX_SECONDS = 150;

const mutants = JSON.parse(readFileSync(join(ROOT, 'test/mutants.json'), 'utf8')) as Mutant[];
const parts = process.argv.slice(2);
const selected = mutants.filter(
  ({ file }) => parts.length === 0 || parts.some((part) => file.includes(part)),
);
const copy = copyTree();
for (const tests of new Map(selected.map(({ tests }) => [tests.join(' '), tests])).values())
  if (!runTests(tests)) throw new Error(`${tests.join(' ')} fails without any fault`);
const survivors = selected.filter((mutant) => !isFound(mutant));
rmSync(copy, { recursive: true });
const share = Math.round((1 - survivors.length / Math.max(1, selected.length)) * 100);
console.log(`${selected.length - survivors.length} of ${selected.length} found (${share} %)`);
process.exit(survivors.some(({ survives }) => survives === undefined) ? 1 : 0);

/** What git tracks, beside the packages of this tree. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-mutants-'));
  const listed = Bun.spawnSync(['git', 'ls-files', '-z'], { cwd: ROOT }).stdout.toString();
  for (const path of listed.split('\0').filter((name) => name !== ''))
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function isFound(mutant: Mutant): boolean {
  const { file, tests, replacement, survives } = mutant;
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  const start = findText(original, mutant);
  const end = start + mutant.text.length;
  writeFileSync(path, original.slice(0, start) + replacement + original.slice(end));
  const success = runTests(tests);
  writeFileSync(path, original);
  const outcome = success ? `survives${survives ? `: ${survives}` : ''}` : 'found';
  console.log(
    `${file}: ${JSON.stringify(mutant.text)} → ${JSON.stringify(replacement)}: ${outcome}`,
  );
  return !success;
}

function runTests(tests: readonly string[]): boolean {
  const command = [process.execPath, 'test', '--timeout', '60000', '--bail', ...tests];
  return Bun.spawnSync(command, { cwd: copy, timeout: MAX_SECONDS * 1_000 }).success;
}

function findText(source: string, { file, text, occurrence }: Mutant): number {
  let start = source.indexOf(text);
  for (let index = 0; index < (occurrence ?? 0); index++) start = source.indexOf(text, start + 1);
  const isAmbiguous = occurrence === undefined && source.indexOf(text, start + 1) >= 0;
  if (start < 0 || isAmbiguous)
    throw new Error(`${file} has ${start < 0 ? 'no' : 'several times'} ${JSON.stringify(text)}`);
  return start;
}
