import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateMutant, type Mutant, readSources } from './locate-mutant.ts';

const ROOT = join(import.meta.dirname, '..');

interface Replacement {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** A copy of what git tracks, beside the packages of this tree, to put faults into. */
export class MutantTree {
  readonly folder = mkdtempSync(join(tmpdir(), 'tenor-mutants-'));
  readonly #sources: ReadonlyMap<string, string>;

  constructor() {
    const listed = Bun.spawnSync(['git', 'ls-files', '-z'], { cwd: ROOT }).stdout.toString();
    // A newer lockfile would let the command install packages into those of this tree.
    const options = { recursive: true, preserveTimestamps: true };
    for (const path of listed.split('\0').filter((name) => name !== ''))
      cpSync(join(ROOT, path), join(this.folder, path), options);
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    this.#sources = readSources(this.folder);
  }

  /** Puts a fault into the copy; returns what takes it out again. */
  apply(mutant: Mutant): () => void {
    const { file, start } = locateMutant(this.#sources, mutant);
    const { text, replacement } = mutant;
    return this.replace({ file, start, end: start + text.length, replacement });
  }

  /** Replaces a part of a file of the copy; returns what undoes it. */
  replace({ file, start, end, replacement }: Replacement): () => void {
    const path = join(this.folder, file);
    const original = this.#sources.get(file) ?? '';
    writeFileSync(path, original.slice(0, start) + replacement + original.slice(end));
    return () => writeFileSync(path, original);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
