import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from '../../scripts/locate-mutant.ts';
import { MutantTree } from '../../scripts/mutant-tree.ts';
import { spawnChild } from '../support/spawn-child.ts';

/** A fault that the simulation is to find. */
interface SimulatedMutant extends Mutant {
  /** What it is, in a few words. */
  readonly fault: string;
  /** The first seed that found it, as the command last wrote it; null where none did. */
  readonly seed: number | null;
  /** The property that did not hold then. */
  readonly property?: string;
}

const MUTANTS_FILE = join(import.meta.dirname, 'mutants.json');
const PAGE = join(import.meta.dirname, '../../docs/explanation/simulation.md');
const TABLE = /(<!-- mutants -->\n)[\s\S]*?(?=<!-- end of mutants -->)/;
const LAST_SEED = 1_999;
const MAX_SECONDS = 600;

export interface MutantOptions {
  readonly processes?: number | undefined;
  /** A range. */
  readonly seeds?: string | undefined;
  /** A part of what the fault is: only those are put in. */
  readonly only?: string | undefined;
}

/**
 * Puts each fault into a copy of the program and runs seeds until one finds it. Writes the seeds down,
 * also into the documentation. Returns the exit status: 1 where more than one of fifteen was missed.
 */
export async function runMutants({
  processes = 2,
  seeds = `0..${LAST_SEED}`,
  only = '',
}: MutantOptions): Promise<number> {
  const mutants = JSON.parse(readFileSync(MUTANTS_FILE, 'utf8')) as SimulatedMutant[];
  const results: SimulatedMutant[] = [...mutants];
  const waiting = [...mutants.keys()].filter((index) => mutants[index]?.fault.includes(only));
  const work = async () => {
    const tree = new MutantTree();
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift())
      results[index] = await findMutant(tree, mutants[index] as SimulatedMutant, seeds);
    tree.remove();
  };
  await Promise.all(Array.from({ length: processes }, work));
  const found = results.filter(({ seed }) => seed !== null).length;
  console.log(`${found} of ${results.length} found`);
  writeFileSync(MUTANTS_FILE, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(TABLE, `$1${formatTable(results)}`));
  return found * 15 < results.length * 14 ? 1 : 0;
}

async function findMutant(
  tree: MutantTree,
  mutant: SimulatedMutant,
  seeds: string,
): Promise<SimulatedMutant> {
  const takeOut = tree.apply(mutant);
  const child = spawnChild([process.execPath, 'test/simulation/simulate.ts', '--seeds', seeds], {
    cwd: tree.folder,
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: MAX_SECONDS * 1_000,
  });
  const output = await new Response(child.stdout).text();
  await child.exited;
  takeOut();
  const [, seed, property] = /^seed (\d+) FAILED: (.*)$/m.exec(output) ?? [];
  const { property: _, ...others } = mutant;
  const result = {
    ...others,
    seed: seed === undefined ? null : Number(seed),
    ...(property !== undefined && { property }),
  };
  console.log(`${mutant.fault}: ${seed === undefined ? 'NOT FOUND' : `seed ${seed}, ${property}`}`);
  return result;
}

function formatTable(mutants: readonly SimulatedMutant[]): string {
  const rows = mutants.map(({ fault, symbol, seed, property }) =>
    [fault, `\`${symbol}\``, seed ?? 'none', property ?? ''].join(' | '),
  );
  const head = ['fault', 'in', 'found by seed', 'what did not hold'].join(' | ');
  return [head, '--- | --- | --- | ---', ...rows].map((row) => `| ${row} |\n`).join('');
}
