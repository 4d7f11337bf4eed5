import { completeRecord, getEarlierForm } from '../catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { OBSERVATION_STATUSES } from '../catalogue/model/observation-status.ts';
import { formatProblem } from '../schema/format-problem.ts';
import { serializeRecord } from '../schema/serialize-record.ts';
import { getStatus, getStorageTable } from '../schema/storage-table.ts';
import { validateRecord } from '../schema/validate-record.ts';
import type { StoredRow } from '../store/open-store.ts';
import { getSealedText } from '../store/sealed-text.ts';
import type { ReportFault, RevisionTallies, RevisionTally } from './check-ledger.ts';
import type { StoredChanges } from './check-log.ts';
import { type ReadSummary, SummaryChecker } from './summary-checker.ts';

/** Checks the rows of one dataset, ordered by key, and adds them to the tallies of revisions. */
export class DatasetChecker {
  readonly summaries: SummaryChecker;
  readonly #keyIndexes: readonly number[];
  readonly #reportFault: ReportFault;
  #previous: { key: string; until: number | null } | undefined;

  constructor(
    private readonly dataset: Dataset,
    private readonly tallies: RevisionTallies,
    readSummary: ReadSummary,
    reportFault: ReportFault,
    private readonly changes?: StoredChanges,
  ) {
    this.#reportFault = (fault) => reportFault(fault, [dataset.name]);
    const { key, columns } = getStorageTable(dataset);
    this.#keyIndexes = key.map(({ column }) => columns.findIndex(({ name }) => name === column));
    this.summaries = new SummaryChecker(dataset, readSummary, this.#reportFault);
  }

  /** Returns the record of a row if it is valid. */
  check(row: StoredRow): AnyRecord | undefined {
    const report = (fault: string) =>
      this.#reportFault(`${this.dataset.name}, ${describeRow(row)}: ${fault}`);
    this.#checkHistory(row, report);
    this.summaries.add(row);
    return this.#checkRecord(row, report);
  }

  /** The revisions of one key must not overlap. */
  #checkHistory(row: StoredRow, report: ReportFault): void {
    const { since, until } = row;
    const key = this.#keyIndexes.map((index) => row.columns[index]).join('\0');
    const previous = this.#previous?.key === key ? this.#previous : undefined;
    const overlaps = previous && (previous.until === null || previous.until > since);
    if (overlaps || (until !== null && until <= since))
      report(`it is valid from ${since} to ${until}, which is impossible`);
    this.#previous = { key, until };
    this.changes?.add(this.dataset, key, row);
    const started = this.#findTally(since, report);
    const ended = until === null ? undefined : this.#findTally(until, report);
    // A start outside the ledger is a fault already, and may not even be a number.
    if (!started) return;
    started.startedRows++;
    const text = getSealedText(getStorageTable(this.dataset), row);
    started.checksum.addPublished(text);
    if (!ended) return;
    ended.endedRows++;
    ended.checksum.addSuperseded(text, since);
  }

  #findTally(revision: number, report: ReportFault): RevisionTally | undefined {
    const tally = this.tallies.get(revision);
    if (tally?.dataset === this.dataset.name) return tally;
    report(`revision ${revision} is not in the ledger for it`);
    return undefined;
  }

  #checkRecord(row: StoredRow, report: ReportFault): AnyRecord | undefined {
    const value = parseJsonOrText(row.json);
    const dataset = getEarlierForm(this.dataset, (field) => Object.hasOwn(Object(value), field));
    const [problem] = validateRecord(dataset, value);
    if (problem) {
      report(`${problem.field} ${formatProblem(problem.value, problem.rule)}`);
      return undefined;
    }
    const record = value as AnyRecord;
    if (serializeRecord(dataset, record) !== row.json)
      report('its text is not as the catalogue writes it');
    const table = getStorageTable(this.dataset);
    const status = getStatus(table, row.columns);
    if (!Object.hasOwn(OBSERVATION_STATUSES, status)) report(`${status} is no status`);
    for (const [index, { name, getValue }] of table.columns.entries())
      if (getValue(record, status) !== row.columns[index])
        report(`column ${name} is not what the record says`);
    return completeRecord(this.dataset, record);
  }
}

function describeRow({ columns, since }: StoredRow): string {
  const names = columns.slice(0, 2).filter((name) => name !== '');
  return `record ${names.join(' ')} of revision ${since}`;
}

export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
