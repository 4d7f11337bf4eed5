import { rmSync } from 'node:fs';
import { datasets } from '../../catalogue/datasets/datasets.ts';
import { system } from '../../shared/system.ts';
import { createTemporaryFolder } from '../../shared/temporary-folder.ts';
import type { Candidate, CandidatePart, PublishTransaction } from '../../store/open-store.ts';
import { toChanges } from './candidate-facts.ts';
import { packBytes, type ReadPart } from './candidate-files.ts';
import { type DeferredChange, deferRecording, LineRecorder } from './defer-recording.ts';
import { joinFolder, runInput } from './run-input.ts';

/** The second run may take longer, and must open the database first. */
const [LEAD_FACTOR, MIN_LEAD_MS] = [1.5, 1_000];

type Outcome = 'base' | 'comparedWith' | 'changes' | 'report' | 'leadMs';

/** Runs a candidate without effect, and describes what it would change. */
export async function checkCandidate(
  transaction: PublishTransaction,
  candidate: Omit<Candidate, Outcome>,
  readPart: ReadPart,
): Promise<{
  readonly outcome: Pick<Candidate, Outcome>;
  readonly parts: readonly CandidatePart[];
}> {
  const startMs = system.monotonicNow();
  const folder = createTemporaryFolder();
  try {
    const recorder = new LineRecorder();
    const deferred: DeferredChange[] = [];
    const base = await transaction.revision();
    const own = deferRecording(transaction, candidate.id, deferred, recorder);
    const context = { candidate, readPart, folder: joinFolder(folder, candidate.id) };
    const report = await runInput(own, context);
    const skewMs = (await transaction.readClock()) - system.now();
    const leadMs = (system.monotonicNow() - startMs) * LEAD_FACTOR + MIN_LEAD_MS + skewMs;
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
    const outcome = { base, comparedWith: base, changes, report, leadMs: Math.ceil(leadMs) };
    return { outcome, parts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
