import { Catalogue } from '../../catalogue/catalogues.ts';
import { datasets } from '../../catalogue/datasets/datasets.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import {
  type Candidate,
  type CandidateStore,
  formatKey,
  type StoreReader,
} from '../../store/open-store.ts';
import { splitSealedText } from '../../store/sealed-text.ts';
import { deriveSalt, describeHold } from './candidate-facts.ts';
import { readPartLines } from './candidate-files.ts';
import { findRedeclared } from './find-redeclared.ts';
import { getInput } from './run-input.ts';

/** Finds candidates whose records or declarations were changed since; returns those that are stale now. */
export async function findStale(store: CandidateStore, reader: StoreReader): Promise<Candidate[]> {
  const stale: Candidate[] = [];
  // If somebody has changed it meanwhile, it is looked at again.
  for (const { known, compared } of await compareCandidates(store, reader))
    if ((await store.updateUnchanged(known, compared)) && compared.staleSince) stale.push(compared);
  return stale;
}

/** The candidates that nobody publishes until somebody looks at them; writes nothing. */
export async function listHeld(
  store: Pick<CandidateStore, 'list' | 'readPart'>,
  reader: StoreReader,
): Promise<Candidate[]> {
  const compared = await compareCandidates(store, reader);
  const byId = new Map(compared.map((each) => [each.known.id, each.compared]));
  const open = (await store.list()).map((candidate) => byId.get(candidate.id) ?? candidate);
  return open.filter((candidate) => describeHold(candidate) !== undefined);
}

/** Compares candidates with the changes since they were last compared. */
async function compareCandidates(
  store: Pick<CandidateStore, 'list' | 'readPart'>,
  reader: StoreReader,
): Promise<{ readonly known: Candidate; readonly compared: Candidate }[]> {
  const newest = await reader.revision();
  const behind = (await store.list()).filter(
    ({ comparedWith, staleSince }) => staleSince === undefined && comparedWith < newest,
  );
  if (behind.length === 0) return [];
  const catalogues = new Catalogue(catalogue, await reader.declarations(newest));
  const found = new Map<string, ReturnType<FindChanged>>();
  // Many candidates were compared with the same revision.
  const findChanged: FindChanged = (name, since) =>
    found.getOrInsertComputed(`${since} ${name}`, () =>
      findChangedKeys(reader, catalogues.find(name), { since, until: newest }),
    );
  const results = [];
  for (const known of behind) {
    // It is published, and the process that did it ended before it said so.
    const salt = deriveSalt(known, 0).toString('hex');
    if ((await reader.findBySalt(salt, known.base)) !== undefined) continue;
    const redeclared = await findRedeclared(reader, known, known.comparedWith);
    const staleSince = redeclared
      ? undefined
      : await findTouched(store, reader, findChanged, known);
    const moved = redeclared ?? (staleSince && { staleSince });
    const stale = moved && { ...moved, approvals: [] };
    results.push({ known, compared: { ...known, comparedWith: newest, ...stale } });
  }
  return results;
}

/** What they change follows from the records that there are at their instant. */
const KINDS_WITH_FILTER = ['retire-quotes', 'retire-selected', 'retire-dataset', 'rename-code'];

/** The last revision if it or one before it changed records of a candidate; otherwise undefined. */
async function findTouched(
  store: Pick<CandidateStore, 'readPart'>,
  reader: StoreReader,
  findChanged: FindChanged,
  candidate: Candidate,
): Promise<number | undefined> {
  const { id, changes, comparedWith } = candidate;
  const hasFilter = KINDS_WITH_FILTER.includes(getInput(candidate).kind);
  for (const { dataset: name, replace } of changes) {
    const [last] = await reader.revisions({ datasets: [name], limit: 1 });
    if (!last || last.revision <= comparedWith) continue;
    const isAny = replace || (hasFilter && name !== datasets.name);
    const changed = isAny ? undefined : await findChanged(name, comparedWith);
    if (!changed) return last.revision;
    for await (const key of readPartLines(store, id, `keys ${name}`))
      if (changed.has(key)) return last.revision;
  }
  return undefined;
}

/** The keys of the records of a dataset that changed since a revision; undefined if it is no more. */
type FindChanged = (name: string, since: number) => Promise<ReadonlySet<string> | undefined>;

async function findChangedKeys(
  reader: StoreReader,
  dataset: Dataset | undefined,
  range: { readonly since: number; readonly until: number },
): Promise<ReadonlySet<string> | undefined> {
  if (!dataset) return undefined;
  const table = getStorageTable(dataset);
  const keys = new Set<string>();
  let after: Parameters<StoreReader['netChanges']>[1]['after'];
  do {
    const found = await reader.netChanges(dataset, { ...range, limit: 5_000, after });
    for (const { old, new: current } of found.changes)
      for (const text of [old, current]) {
        if (text === null) continue;
        const record: AnyRecord = JSON.parse(splitSealedText(text).json);
        keys.add(formatKey(getKeyValues(table, record)));
      }
    after = found.last;
  } while (after);
  return keys;
}
