import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { getAuxiliaryTable } from '../../schema/auxiliary-table.ts';
import { serializeRecord } from '../../schema/serialize-record.ts';
import type { StorageTable } from '../../schema/storage-table.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { validateRecord } from '../../schema/validate-record.ts';
import type { RowChecksum } from '../../store/checksum.ts';
import { computeRevisionChecksum, createRowChecksum } from '../../store/checksum.ts';
import type {
  LedgerEntry,
  RevisionSeal,
  SecurityTerms,
  StoredRow,
  StoreInspector,
} from '../../store/open-store.ts';
import { StoreUnavailableError } from '../../store/open-store.ts';
import { formatProblem } from '../load/file-problems.ts';
import type { WarningGroup } from '../load/load-report.ts';
import { LoadReportBuilder } from '../load/load-report.ts';
import { createCurrentRecordChecker } from './current-record-checker.ts';

export interface CheckResult {
  readonly revisions: number;
  /** Rows that were looked at, past ones included. */
  readonly rows: number;
  /** What is broken: the first of it, each in one line. */
  readonly faults: readonly string[];
  readonly faultCount: number;
  /** What is whole but odd. */
  readonly warnings: readonly WarningGroup[];
  /** What could not be checked, and why. */
  readonly notes: readonly string[];
}

const MAX_LISTED_FAULTS = 100;

/**
 * Verifies a whole database: its structure, every stored text against the catalogue, the history
 * against the ledger, the checksum of every revision; and looks for what should add up.
 */
export async function checkDatabase(
  inspector: StoreInspector,
  catalogue: readonly Dataset[],
): Promise<CheckResult> {
  const faults: string[] = [];
  let faultCount = 0;
  const fault = (line: string) => {
    faultCount++;
    if (faults.length < MAX_LISTED_FAULTS) faults.push(line);
  };
  const reporting = new LoadReportBuilder();
  let revisions = 0;
  let rows = 0;
  const notes: string[] = [];
  try {
    for (const line of await inspector.findStructureFaults()) fault(`structure: ${line}`);
    const ledger = await inspector.ledger();
    revisions = ledger.length;
    const doings = new Map(ledger.map(({ revision, dataset }) => [revision, createTally(dataset)]));
    for (const dataset of catalogue) {
      const terms = await checkAuxiliaryRows(inspector, dataset, doings, fault);
      const history = createHistoryCheck(dataset.name, getStorageTable(dataset), doings, fault);
      const watch = createCurrentRecordChecker(dataset, terms, reporting);
      for await (const batch of inspector.rows(dataset)) {
        rows += batch.length;
        for (const row of batch) {
          countRow(history.look(row));
          const record = checkRecord(dataset, row, fault);
          if (record && row.until === null) watch.look(record);
        }
      }
      watch.end();
    }
    notes.push(...checkLedger(ledger, doings, fault));
  } catch (cause) {
    if (!(cause instanceof StoreUnavailableError)) throw cause;
    fault(`the database cannot be read: ${cause.message}`);
  }
  const { warnings } = reporting.build();
  return { revisions, rows, faults, faultCount, warnings, notes };
}

type ReportFault = (line: string) => void;

/** What a revision did, by the rows that name it. */
interface RevisionTally {
  readonly dataset: string;
  readonly checksum: RowChecksum;
  startedRows: number;
  endedRows: number;
}

function createTally(dataset: string): RevisionTally {
  return { dataset, checksum: createRowChecksum(), startedRows: 0, endedRows: 0 };
}

/** The record of a row, if its text is what the catalogue would have stored. */
function checkRecord(dataset: Dataset, row: StoredRow, fault: ReportFault): AnyRecord | undefined {
  const where = `${dataset.name}, ${describeRow(row)}`;
  const record = parseJsonOrText(row.json);
  const [problem] = validateRecord(dataset, record);
  if (problem) {
    fault(`${where}: ${problem.field} ${formatProblem(problem.value, problem.rule)}`);
    return undefined;
  }
  const good = record as AnyRecord;
  if (serializeRecord(dataset, good) !== row.json) {
    fault(`${where}: its text is not as the catalogue writes it`);
  }
  checkColumns(where, getStorageTable(dataset), good, row, fault);
  return good;
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Looks at what a dataset keeps beside its records; gives the terms that never changed. */
async function checkAuxiliaryRows(
  inspector: StoreInspector,
  dataset: Dataset,
  doings: ReadonlyMap<number, RevisionTally>,
  fault: ReportFault,
): Promise<ReadonlyMap<string, SecurityTerms>> {
  const table = getAuxiliaryTable(dataset);
  if (!table) return new Map();
  const history = createHistoryCheck(dataset.name, table, doings, fault);
  const versions = new Set<string>();
  const terms = new Map<string, SecurityTerms>();
  for await (const batch of inspector.auxiliaryRows(dataset)) {
    for (const row of batch) {
      history.look(row);
      const where = `${dataset.name}, ${describeRow(row)}`;
      const record = parseJsonOrText(row.json);
      if (typeof record !== 'object' || record === null) {
        fault(`${where}: its text is no record`);
        continue;
      }
      checkColumns(where, table, record as AnyRecord, row, fault);
      const symbol = String(row.columns[0]);
      // A rate that was set anew says nothing about the quotes from before.
      if (versions.has(symbol)) terms.delete(symbol);
      else terms.set(symbol, record as SecurityTerms);
      versions.add(symbol);
    }
  }
  return terms;
}

/** Faults where the columns that select a row are not what its record says. */
function checkColumns(
  where: string,
  { columns }: StorageTable,
  record: AnyRecord,
  row: StoredRow,
  fault: ReportFault,
): void {
  for (const [index, column] of columns.entries()) {
    if (column.getValue(record) === row.columns[index]) continue;
    fault(`${where}: column ${column.name} is not what the record says`);
  }
}

/** Counts a record's beginning and end with the revisions that they are of. */
function countRow({ began, ended }: RowLifetime): void {
  if (began) began.startedRows++;
  if (ended) ended.endedRows++;
}

/** The revisions between which a row stood, as far as the ledger has them. */
interface RowLifetime {
  readonly began: RevisionTally | undefined;
  readonly ended: RevisionTally | undefined;
}

/** Follows the rows of a table, key by key: each stands from one revision to another. */
function createHistoryCheck(
  dataset: string,
  { columns, key }: StorageTable,
  doings: ReadonlyMap<number, RevisionTally>,
  fault: ReportFault,
) {
  const keyAt = key.map(({ column }) => columns.findIndex(({ name }) => name === column));
  let before: { key: string; until: number | null } | undefined;
  const doingOf = (revision: number, row: StoredRow) => {
    const doing = doings.get(revision);
    if (doing?.dataset === dataset) return doing;
    fault(`${dataset}, ${describeRow(row)}: revision ${revision} is not in the ledger for it`);
    return undefined;
  };
  return {
    look(row: StoredRow): RowLifetime {
      const { json, since, until } = row;
      const named = keyAt.map((at) => row.columns[at]).join('\0');
      const overlaps = before?.key === named && (before.until === null || before.until > since);
      if (overlaps || (until !== null && until <= since)) {
        fault(
          `${dataset}, ${describeRow(row)}: it stands from ${since} to ${until}, which cannot be`,
        );
      }
      before = { key: named, until };
      const began = doingOf(since, row);
      began?.checksum.addStarted(json);
      const last = until === null ? undefined : doingOf(until, row);
      // A beginning that is in no ledger is a fault already, and may be no number at all.
      const ended = began && last;
      ended?.checksum.addEnded(json, since);
      return { began, ended };
    },
  };
}

/** Holds the ledger against what the rows say; gives what it has no means to check. */
function checkLedger(
  ledger: readonly (LedgerEntry & RevisionSeal)[],
  doings: ReadonlyMap<number, RevisionTally>,
  fault: ReportFault,
): string[] {
  const unsealed: number[] = [];
  let instant = '';
  for (const [index, entry] of ledger.entries()) {
    const { revision, publishedAt, added, corrected, retired, checksum } = entry;
    const doing = doings.get(revision) ?? createTally(entry.dataset);
    if (revision !== index + 1)
      fault(`ledger: revision ${index + 1} is missing before ${revision}`);
    if (publishedAt < instant) fault(`revision ${revision}: published before the one it follows`);
    instant = publishedAt;
    if (doing.startedRows !== added + corrected || doing.endedRows !== corrected + retired) {
      const told = `${added} added, ${corrected} corrected, ${retired} retired`;
      fault(
        `revision ${revision}: the ledger says ${told}; ${doing.startedRows} records begin with it and ${doing.endedRows} end`,
      );
    }
    if (checksum === null) {
      // From the first checksum on, every revision has one.
      if (unsealed.length < index) fault(`revision ${revision}: its checksum is gone`);
      unsealed.push(revision);
    } else if (computeRevisionChecksum(entry, doing.checksum) !== checksum) {
      fault(
        `revision ${revision}: its checksum does not match: the ledger or a record was altered`,
      );
    }
  }
  if (unsealed.length === 0) return [];
  return [`revisions from before checksums were kept: ${unsealed.join(', ')}`];
}

function describeRow({ columns, since }: StoredRow): string {
  return `record ${columns.slice(0, 2).join(' ')} of revision ${since}`;
}
