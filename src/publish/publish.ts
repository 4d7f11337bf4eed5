import type { AnyRecord, Dataset } from '../catalogue/dataset.ts';
import type { Problem } from '../derive/record.ts';
import { problemsOf, textOf } from '../derive/record.ts';
import { tableOf, valuesIn } from '../derive/table.ts';
import type { Change, Revision, Row, Within } from '../store/index.ts';
import { MOST_PROBLEMS } from './problems.ts';

export type Publication = Omit<Change, 'rows' | 'retired'> & {
  readonly records: Iterable<unknown>;
};

/** A problem, and the record it is in: 1 for the first. */
export interface RecordProblem extends Problem {
  readonly record: number;
}

/** Records that were refused; nothing of what came with them is published. */
export class RecordsRefused extends Error {
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
export function publish(
  publisher: Pick<Within, 'publish'>,
  { records, ...change }: Publication,
): Promise<Revision | undefined> {
  return publisher.publish({ ...change, rows: checked(change.dataset, records) });
}

/** How many records are handed on together. */
const AT_ONCE = 1_000;

function* checked(dataset: Dataset, records: Iterable<unknown>): Generator<readonly Row[]> {
  const table = tableOf(dataset);
  const problems: RecordProblem[] = [];
  let count = 0;
  let record = 0;
  let rows: Row[] = [];
  for (const value of records) {
    record++;
    const found = problemsOf(dataset, value);
    count += found.length;
    if (problems.length < MOST_PROBLEMS) problems.push(...found.map((p) => ({ ...p, record })));
    if (count > 0) continue;
    const good = value as AnyRecord;
    if (rows.push({ columns: valuesIn(table, good), text: textOf(dataset, good) }) < AT_ONCE)
      continue;
    yield rows;
    rows = [];
  }
  if (count > 0) throw new RecordsRefused(dataset, problems.slice(0, MOST_PROBLEMS), count);
  yield rows;
}
