import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fault to put into the program. */
export interface Mutant {
  readonly file: string;
  /** Stands once in the file, or `occurrence` says which it is, from 0 on. */
  readonly text: string;
  readonly occurrence?: number;
  readonly replacement: string;
}

const ROOT = join(import.meta.dirname, '..');

/** A copy of what git tracks, beside the packages of this tree, to put faults into. */
export class MutantTree {
  readonly folder = mkdtempSync(join(tmpdir(), 'tenor-mutants-'));

  constructor() {
    const listed = Bun.spawnSync(['git', 'ls-files', '-z'], { cwd: ROOT }).stdout.toString();
    // A newer lockfile would let the command install packages into those of this tree.
    const options = { recursive: true, preserveTimestamps: true };
    for (const path of listed.split('\0').filter((name) => name !== ''))
      cpSync(join(ROOT, path), join(this.folder, path), options);
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
  }

  /** Puts a fault into the copy; returns what takes it out again. */
  apply(mutant: Mutant): () => void {
    const path = join(this.folder, mutant.file);
    const original = readFileSync(path, 'utf8');
    const start = findText(original, mutant);
    const end = start + mutant.text.length;
    writeFileSync(path, original.slice(0, start) + mutant.replacement + original.slice(end));
    return () => writeFileSync(path, original);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

function findText(source: string, { file, text, occurrence }: Mutant): number {
  let start = source.indexOf(text);
  for (let index = 0; index < (occurrence ?? 0); index++) start = source.indexOf(text, start + 1);
  const isAmbiguous = occurrence === undefined && source.indexOf(text, start + 1) >= 0;
  if (start < 0 || isAmbiguous)
    throw new Error(`${file} has ${start < 0 ? 'no' : 'several times'} ${JSON.stringify(text)}`);
  return start;
}
