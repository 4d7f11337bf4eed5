import { mkdirSync } from 'node:fs';
import { removeDatabase } from '../loads.ts';
import { FOLDER } from '../million-quotes.ts';
import { formatResultTable, type ResultRow } from '../result-table.ts';
import { ROOT } from '../server-processes.ts';
import { createLoadMeasurements } from './compare-loads.ts';
import { createServerMeasurements } from './compare-servers.ts';
import { getSamplePath } from './databases.ts';
import { isLoss, LEAST_RATIO, measureTwiceOnLoss } from './loss.ts';
import { checkOut, findPreviousRelease } from './release-tree.ts';
import type { GateComparison, Sides } from './sides.ts';

/** Compares this tree with a release and prints the table; returns whether nothing was lost. */
export async function runGate(ref = findPreviousRelease()): Promise<boolean> {
  mkdirSync(FOLDER, { recursive: true });
  const release = await checkOut(ref);
  const sides: Sides = {
    current: { name: 'current', root: ROOT },
    release: { name: 'release', root: release.root },
  };
  // Those of an earlier run may be of another release.
  for (const side of Object.values(sides)) removeDatabase(getSamplePath(side));
  const rows: ResultRow[] = [];
  const losses: string[] = [];
  try {
    const measurements = { ...createLoadMeasurements(sides), ...createServerMeasurements(sides) };
    for (const [label, measure] of Object.entries(measurements)) {
      const comparison = await measureTwiceOnLoss(measure);
      console.error(`${label}: ${comparison.ratio.toFixed(2)}`);
      if (isLoss(comparison)) losses.push(label);
      rows.push(createRow(label, comparison, ref));
    }
  } finally {
    await release.remove();
  }
  console.log(formatResultTable(rows));
  for (const label of losses) console.log(`lost more than 15 % against ${ref}: ${label}`);
  return losses.length === 0;
}

function createRow(label: string, comparison: GateComparison, ref: string): ResultRow {
  const { current, release, ratio } = comparison;
  const aim = `≥ ${LEAST_RATIO}${isLoss(comparison) ? ', missed' : ''}`;
  return { label, measured: current, baseline: `${release}, ${ref}`, ratio, aim };
}
