import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { DatasetStates } from './dataset-states.ts';
import { type QuerySteps, queryRows } from './query-steps.ts';
import { allRecordsStatement } from './record-statements.ts';

/** Every record of reference data, by its identifier. */
export function* readReferenceData<Reference extends AnyRecord>(
  dataset: Dataset,
  states: DatasetStates,
): QuerySteps<Reference[]> {
  const state = states.get(dataset.name);
  if (!state?.count) return [];
  const rows = yield* queryRows<{ record: string }>(
    allRecordsStatement(getStorageTable(dataset), state.asOf),
  );
  return rows.map(({ record }) => JSON.parse(record) as Reference);
}

/** How entries of a list and records of reference data belong together. */
interface Join<Entry, Reference, Joined> {
  readonly entries: readonly Entry[];
  readonly references: readonly Reference[];
  readonly getId: (item: Entry | Reference) => string;
  /** What the list is sorted by, as bytes. */
  readonly getSortKey: (id: string) => string;
  /** Joins what is known of one identifier; at least one of the two is given. */
  readonly join: (entry: Entry | undefined, reference: Reference | undefined) => Joined;
}

/** The entries with their reference data, and the reference data of those that have no entry. */
export function joinReferenceData<Entry, Reference, Joined>({
  entries,
  references,
  getId,
  getSortKey,
  join,
}: Join<Entry, Reference, Joined>): Joined[] {
  const toKey = (item: Entry | Reference) => foldAsciiCase(getId(item));
  const byKey = new Map(references.map((reference) => [toKey(reference), reference]));
  const listed = new Set(entries.map(toKey));
  const unlisted = references.filter((reference) => !listed.has(toKey(reference)));
  const joined = [
    ...entries.map((entry) => [getId(entry), join(entry, byKey.get(toKey(entry)))] as const),
    ...unlisted.map((reference) => [getId(reference), join(undefined, reference)] as const),
  ];
  const toBytes = (id: string) => Buffer.from(getSortKey(id));
  // As engines sort, which the entries come from.
  if (unlisted.length > 0) joined.sort(([a], [b]) => Buffer.compare(toBytes(a), toBytes(b)));
  return joined.map(([, item]) => item);
}
