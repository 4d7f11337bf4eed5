import { join } from 'node:path';
import { ROOT } from '../server-processes.ts';
import { type FaultKind, type FaultRun, hideRun } from './fault-kind.ts';
import { replaceFaultRows } from './fault-table.ts';
import { citus } from './kinds/citus.ts';
import { fullDisk } from './kinds/full-disk.ts';
import { kill } from './kinds/kill.ts';
import { replicas } from './kinds/replicas.ts';
import { type KindResult, runKind } from './run-kind.ts';

/** The kinds of faults by name: `npm run bench -- faults kill`. */
export const FAULT_KINDS: Readonly<Record<string, FaultKind<FaultRun>>> = {
  replicas: hideRun(replicas),
  kill: hideRun(kill),
  'full-disk': hideRun(fullDisk),
  citus: hideRun(citus),
};

const PAGE = join(ROOT, 'docs', 'explanation', 'robustness.md');

export interface FaultsOptions {
  readonly names: readonly string[];
  readonly seeds: readonly number[];
  /** Of each plan. */
  readonly minutes: number;
  /** Whether the results go into docs/explanation/robustness.md. */
  readonly isWritten: boolean;
}

/** Runs the plans of the seeds, kind by kind; returns whether nothing was violated. */
export async function runFaults({ names, seeds, minutes, isWritten }: FaultsOptions) {
  // Servers and file systems are left behind by no run that is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  const outcomes = new Map<string, readonly KindResult[] | string>();
  for (const [name, kind] of Object.entries(FAULT_KINDS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const reason = kind.explainMissing();
    if (reason !== undefined) {
      console.error(`${name} is left out: ${reason}`);
      outcomes.set(name, reason);
      continue;
    }
    const results: KindResult[] = [];
    for (const seed of seeds) {
      console.error(`${name}, seed ${seed}: ${formatCommand(name, seed, minutes)}`);
      const result = await runKind(kind, seed, minutes);
      console.log(`${name} ${JSON.stringify(result)}`);
      results.push(result);
    }
    outcomes.set(name, results);
  }
  if (isWritten) {
    const page = await Bun.file(PAGE).text();
    await Bun.write(PAGE, replaceFaultRows(page, outcomes, Object.keys(FAULT_KINDS)));
  }
  return [...outcomes.values()].every(
    (results) => typeof results === 'string' || results.every(({ violations }) => violations === 0),
  );
}

function formatCommand(name: string, seed: number, minutes: number): string {
  return `npm run bench -- faults ${name} --seed ${seed} --minutes ${minutes}`;
}
