import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { serializeRecord } from '../schema/serialize-record.ts';
import { getColumnValues, getStorageTable } from '../schema/storage-table.ts';
import type { FieldProblem } from '../schema/validate-record.ts';
import { validateRecord } from '../schema/validate-record.ts';
import type {
  DatasetChange,
  EncodedRow,
  PublishTransaction,
  Revision,
} from '../store/open-store.ts';
import { MAX_LISTED_PROBLEMS } from './load/file-problems.ts';

export type Publication = Omit<DatasetChange, 'rows' | 'retiredKeys'> & {
  readonly records: Iterable<unknown>;
};

/** A problem, and the record it is in: 1 for the first. */
export interface RecordProblem extends FieldProblem {
  readonly record: number;
}

/** Records that were refused; nothing of what came with them is published. */
export class RecordValidationError extends Error {
  constructor(
    dataset: Dataset,
    /** The first of them. */
    readonly problems: readonly RecordProblem[],
    /** How many there are in all. */
    readonly count: number,
  ) {
    const [first] = problems;
    const where = first && `record ${first.record}, ${first.field}: must be ${first.rule}`;
    super(`${dataset.name}: ${count} problems; the first: ${where}`);
  }
}

/**
 * Publishes records that a program has made; files come in by `load`. Every record is checked
 * against the catalogue, turned into the text that is served, and published with the others as one
 * revision, or not at all. Undefined when the records are already there.
 */
export function publishRecords(
  publisher: Pick<PublishTransaction, 'publish'>,
  { records, ...change }: Publication,
): Promise<Revision | undefined> {
  return publisher.publish({ ...change, rows: toValidatedRows(change.dataset, records) });
}

/** How many records are handed on together. */
const BATCH_SIZE = 1_000;

function* toValidatedRows(
  dataset: Dataset,
  records: Iterable<unknown>,
): Generator<readonly EncodedRow[]> {
  const table = getStorageTable(dataset);
  const problems: RecordProblem[] = [];
  let count = 0;
  let record = 0;
  let rows: EncodedRow[] = [];
  for (const value of records) {
    record++;
    const found = validateRecord(dataset, value);
    count += found.length;
    if (problems.length < MAX_LISTED_PROBLEMS)
      problems.push(...found.map((p) => ({ ...p, record })));
    if (count > 0) continue;
    const good = value as AnyRecord;
    if (
      rows.push({ columns: getColumnValues(table, good), json: serializeRecord(dataset, good) }) <
      BATCH_SIZE
    )
      continue;
    yield rows;
    rows = [];
  }
  if (count > 0)
    throw new RecordValidationError(dataset, problems.slice(0, MAX_LISTED_PROBLEMS), count);
  yield rows;
}
