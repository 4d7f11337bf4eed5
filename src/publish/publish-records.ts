import { securities } from '../catalogue/datasets/securities.ts';
import { getStoredForm } from '../catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { serializeRecord } from '../schema/serialize-record.ts';
import { getColumnValues, getStorageTable } from '../schema/storage-table.ts';
import { validateNewRecord } from '../schema/validate-record.ts';
import type {
  DatasetChange,
  EncodedRow,
  LedgerEntry,
  PublishTransaction,
  Revision,
} from '../store/open-store.ts';
import { toBatches } from '../store/rows.ts';
import { type RecordProblem, RecordValidationError } from './errors.ts';
import { MAX_LISTED_PROBLEMS, withControlCharacter } from './load/file-problems.ts';

/** The author of a change, and whether it is a dry run. */
export interface PublishingOptions {
  readonly author: string;
  readonly isDryRun?: boolean;
}

export type Publication = Omit<DatasetChange, 'rows' | 'retiredKeys'> & {
  readonly records: Iterable<unknown>;
};

/** Publishes records from a program if all are valid; undefined if they are already published. */
export function publishRecords(
  publisher: Pick<PublishTransaction, 'publish'>,
  { records, ...change }: Publication,
): Promise<Revision | undefined> {
  return publisher.publish({ ...change, rows: toBatches(encodeRecords(change.dataset, records)) });
}

function* encodeRecords(dataset: Dataset, records: Iterable<unknown>): Generator<EncodedRow> {
  const table = getStorageTable(dataset);
  const listed: RecordProblem[] = [];
  let count = 0;
  let ordinal = 0;
  for (const value of records) {
    ordinal++;
    const problems = validateNewRecord(dataset, value);
    count += problems.length;
    if (listed.length < MAX_LISTED_PROBLEMS)
      listed.push(
        ...problems.map((problem) => ({ ...withControlCharacter(problem), record: ordinal })),
      );
    if (count > 0) continue;
    const record = value as AnyRecord;
    const stored = getStoredForm(dataset, record);
    yield { columns: getColumnValues(table, record), json: serializeRecord(stored, record) };
  }
  if (count > 0)
    throw new RecordValidationError(dataset, listed.slice(0, MAX_LISTED_PROBLEMS), count);
}

/** The revision of the terms that came with a revision of quotes, if there were any: the next one. */
export async function findTermsRevision(
  transaction: PublishTransaction,
  quotesRevision: number,
): Promise<LedgerEntry | undefined> {
  const next = await transaction.ledgerEntry(quotesRevision + 1);
  const isOfTerms =
    next?.dataset === securities.name && next.report.quotesRevision === quotesRevision;
  return isOfTerms ? next : undefined;
}
