import { rmSync } from 'node:fs';
import { datasets } from '../../catalogue/datasets/datasets.ts';
import { createTemporaryFolder } from '../../shared/temporary-folder.ts';
import type { Candidate, CandidatePart, PublishTransaction } from '../../store/open-store.ts';
import { startLeadTime } from '../lead-time.ts';
import { toChanges } from './candidate-facts.ts';
import { packBytes, type ReadPart } from './candidate-files.ts';
import { type DeferredChange, deferRecording, LineRecorder } from './defer-recording.ts';
import { joinFolder, runInput } from './run-input.ts';

type Outcome = 'base' | 'comparedWith' | 'changes' | 'report' | 'leadMs' | 'workMs';

/** Runs a candidate without effect, and describes what it would change. */
export async function checkCandidate(
  transaction: PublishTransaction,
  candidate: Omit<Candidate, Outcome>,
  readPart: ReadPart,
): Promise<{
  readonly outcome: Pick<Candidate, Outcome>;
  readonly parts: readonly CandidatePart[];
}> {
  const endLeadTime = startLeadTime();
  const folder = createTemporaryFolder();
  try {
    const recorder = new LineRecorder();
    const deferred: DeferredChange[] = [];
    const base = await transaction.revision();
    const own = deferRecording(transaction, candidate.id, deferred, recorder);
    const context = { candidate, readPart, folder: joinFolder(folder, candidate.id) };
    const report = await runInput(own, context);
    const lead = await endLeadTime(transaction);
    const changes = toChanges(deferred).map((change) =>
      change.dataset === datasets.name ? { ...change, declared: recorder.listDeclared() } : change,
    );
    const parts: CandidatePart[] = [];
    const pack = (name: string, lines: readonly string[] = []) =>
      packBytes(
        parts,
        name,
        lines.values().map((line) => Buffer.from(`${line}\n`)),
      );
    for (const { dataset } of changes) {
      await pack(`changes ${dataset}`, recorder.lines.get(dataset));
      await pack(`keys ${dataset}`, recorder.keys.get(dataset));
    }
    const outcome = { base, comparedWith: base, changes, report, ...lead };
    return { outcome, parts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
