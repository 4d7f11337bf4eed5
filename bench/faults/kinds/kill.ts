import { type FaultKind, publish, serverSteps } from '../fault-kind.ts';
import { FileRun, killLoad } from '../file-run.ts';

/** Loads, workers and servers that are killed. */
export const kill: FaultKind<FileRun> = {
  explainMissing: () => undefined,
  steps: { publish, 'kill load': killLoad, ...serverSteps },
  start: (seed) => FileRun.start(seed),
};
