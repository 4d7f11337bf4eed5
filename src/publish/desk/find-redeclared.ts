import { datasets, toDeclaration } from '../../catalogue/datasets/datasets.ts';
import { listChangedEffects } from '../../catalogue/declaration-effects.ts';
import type { Candidate, RecordChange, StoreQueries } from '../../store/open-store.ts';

/** The revision of a declaration that makes a candidate stale. */
export type Redeclared = Required<Pick<Candidate, 'staleSince' | 'staleReason'>>;

/**
 * Finds the first revision after another that retired a dataset of a candidate, or declared it anew in what
 * the candidate was checked and approved by. Each revision is looked at: a dataset that is retired and
 * declared again has changed, even if it is as before.
 */
export async function findRedeclared(
  reader: Pick<StoreQueries, 'revisions' | 'changes'>,
  { changes }: Pick<Candidate, 'changes'>,
  since: number,
): Promise<Redeclared | undefined> {
  const [last] = await reader.revisions({ datasets: [datasets.name], limit: 1 });
  if (!last || last.revision <= since) return undefined;
  const names = new Set(changes.map(({ dataset }) => dataset));
  const declaring = await reader.revisions({ datasets: [datasets.name] });
  for (const { revision: staleSince } of declaring.toReversed()) {
    if (staleSince <= since) continue;
    for (const change of await reader.changes(datasets, staleSince, MAX_CHANGES)) {
      const staleReason = describeRedeclared(change, names);
      if (staleReason !== undefined) return { staleSince, staleReason };
    }
  }
  return undefined;
}

/** More declarations than a database has. */
const MAX_CHANGES = 1_000_000;

function describeRedeclared(
  { old, new: current }: RecordChange,
  names: ReadonlySet<string>,
): string | undefined {
  if (old === null) return undefined;
  const before = toDeclaration(JSON.parse(old));
  if (!names.has(before.name)) return undefined;
  if (current === null) return `retired ${before.name}`;
  const changed = listChangedEffects(before, toDeclaration(JSON.parse(current)));
  return changed.length > 0 ? `declared ${before.name} anew: ${changed.join(', ')}` : undefined;
}
