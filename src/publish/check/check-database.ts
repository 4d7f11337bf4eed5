import { indexHolidays, type PricingTerms, TERM_NAMES, toPricingTerms } from '../../bonds/index.ts';
import { Catalogue } from '../../catalogue/catalogues.ts';
import { type Holiday, holidays } from '../../catalogue/datasets/holidays.ts';
import { securities } from '../../catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import {
  checkArchivedTerms,
  createLedgerChecker,
  createTally,
  type RevisionTallies,
} from '../../check/check-ledger.ts';
import { DatasetChecker, parseJsonOrText } from '../../check/dataset-checker.ts';
import type { ReadSummary } from '../../check/summary-checker.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { system } from '../../shared/system.ts';
import {
  type SealedEntry,
  type StoreInspector,
  StoreUnavailableError,
  type SummaryRows,
} from '../../store/open-store.ts';
import { ARCHIVED_TERMS_TABLE } from '../../store/sql/archived-terms.ts';
import { LoadReportBuilder, type WarningGroup } from '../load/load-report.ts';
import { CurrentRecordChecker } from './current-record-checker.ts';

export interface CheckResult {
  readonly revisions: number;
  /** The number of checked rows, history included. */
  readonly rows: number;
  readonly faults: readonly string[];
  readonly faultCount: number;
  readonly warnings: readonly WarningGroup[];
  readonly notes: readonly string[];
}

interface CheckOptions {
  readonly onRows?: (rows: number) => void;
  /** The day that dates may not be after, as YYYY-MM-DD; by default that of the clock in UTC. */
  readonly today?: string;
}

const MAX_LISTED_FAULTS = 100;

/** Checks structure, records, history, ledger and checksums; warns of current records as a load. */
export async function checkDatabase(
  inspector: StoreInspector,
  catalogue: readonly Dataset[],
  options: CheckOptions = {},
): Promise<CheckResult> {
  const check = new DatabaseCheck(inspector, catalogue, options);
  try {
    await check.run();
  } catch (cause) {
    if (!(cause instanceof StoreUnavailableError)) throw cause;
    check.reportFault(`the database cannot be read: ${cause.message}`);
  }
  return check.buildResult();
}

class DatabaseCheck {
  readonly #report = new LoadReportBuilder();
  readonly #result = {
    revisions: 0,
    rows: 0,
    faults: [] as string[],
    faultCount: 0,
    notes: [] as string[],
  };

  constructor(
    private readonly inspector: StoreInspector,
    private readonly catalogue: readonly Dataset[],
    private readonly options: CheckOptions,
  ) {}

  readonly reportFault = (line: string): void => {
    this.#result.faultCount++;
    if (this.#result.faults.length < MAX_LISTED_FAULTS) this.#result.faults.push(line);
  };

  async run(): Promise<void> {
    const { inspector, catalogue, reportFault } = this;
    for await (const { faults } of inspector.structureFaults())
      for (const line of faults) reportFault(`structure: ${line}`);
    const revision = await inspector.revision();
    const ledger = await readWholeLedger(inspector);
    this.#result.revisions = ledger.length;
    const tallies: RevisionTallies = new Map(
      ledger.map(({ revision, dataset }) => [revision, createTally(dataset)]),
    );
    const archived = await inspector.summaryRows(ARCHIVED_TERMS_TABLE, revision);
    const takenOver = checkArchivedTerms(archived, tallies, reportFault);
    const terms = catalogue.includes(securities)
      ? await readConstantTerms(inspector, archived)
      : new Map();
    const declared = await inspector.declarations(revision);
    for (const dataset of new Catalogue(catalogue, declared).listWithRetired())
      await this.#checkDataset(dataset, tallies, terms);
    const ledgerChecker = createLedgerChecker(tallies, takenOver, reportFault);
    ledger.forEach(ledgerChecker.check);
    this.#result.notes.push(...ledgerChecker.listNotes());
  }

  async #checkDataset(
    dataset: Dataset,
    tallies: RevisionTallies,
    terms: ReadonlyMap<string, PricingTerms>,
  ): Promise<void> {
    const { inspector, reportFault } = this;
    const { onRows, today = new Date().toISOString().slice(0, 10) } = this.options;
    const revision = await inspector.revision();
    const readSummary: ReadSummary = (table) => inspector.summaryRows(table, revision);
    const checker = new DatasetChecker(dataset, tallies, readSummary, reportFault);
    const currentRecords = new CurrentRecordChecker(dataset, terms, this.#report, today);
    for await (const rows of readRows(inspector, dataset)) {
      this.#result.rows += rows.length;
      for (const row of rows) {
        const record = checker.check(row);
        if (record && row.until === null) currentRecords.check(record);
      }
      if (!onRows) continue;
      await system.nextTurn();
      onRows(rows.length);
    }
    await currentRecords.finish(() => readCurrentRecords(inspector, dataset));
    await checker.summaries.compareSecurities();
    await checker.summaries.compareDays();
  }

  buildResult(): CheckResult {
    return { ...this.#result, warnings: this.#report.build().warnings };
  }
}

/** The pricing terms that never change: another coupon does not apply to older quotes. */
async function readConstantTerms(inspector: StoreInspector, archived: SummaryRows) {
  const days = (await Array.fromAsync(readCurrentRecords(inspector, holidays))).flat();
  const findHolidays = indexHolidays(days as Holiday[]);
  const terms = new Map<string, PricingTerms>();
  const changed = new Set<string>();
  const addVersion = (json: string) => {
    const [record] = parseRecord(json);
    if (!record) return;
    const symbol = foldAsciiCase(String(record.symbol));
    // The rate of a floater is that of one day.
    const version = toPricingTerms(
      {
        ...record,
        ...(record.floating === true && { couponRate: null }),
      },
      findHolidays,
    );
    const previous = terms.get(symbol) ?? version;
    if (TERM_NAMES.some((name) => previous[name] !== version[name])) changed.add(symbol);
    terms.set(symbol, version);
  };
  for (const [json] of archived) addVersion(String(json));
  for await (const rows of readRows(inspector, securities))
    for (const { json } of rows) addVersion(json);
  for (const symbol of changed) terms.delete(symbol);
  return terms;
}

async function* readRows(inspector: StoreInspector, dataset: Dataset) {
  const slices = inspector.slices(getStorageTable(dataset), await inspector.revision());
  for await (const { rows } of slices) yield rows;
}

/** Every entry of the ledger, oldest first. */
export async function readWholeLedger(inspector: StoreInspector): Promise<SealedEntry[]> {
  return (await Array.fromAsync(inspector.ledger(await inspector.revision()))).flat();
}

async function* readCurrentRecords(inspector: StoreInspector, dataset: Dataset) {
  for await (const rows of readRows(inspector, dataset))
    yield rows.flatMap(({ json, until }) => (until === null ? parseRecord(json) : []));
}

/** What is no record is found to be damaged with the others of its dataset. */
function parseRecord(json: string): AnyRecord[] {
  const record = parseJsonOrText(json);
  return typeof record === 'object' && record !== null ? [record as AnyRecord] : [];
}

type LedgerChecksum = Pick<SealedEntry, 'revision' | 'checksum'>;

/** Why a replica is not one of the same history; a replica may lack the newest revisions. */
export function findLedgerDifference(
  primary: readonly LedgerChecksum[],
  replica: readonly LedgerChecksum[],
): string | undefined {
  const checksums = new Map(primary.map(({ revision, checksum }) => [revision, checksum]));
  const different = replica.find(
    ({ revision, checksum }) => checksums.has(revision) && checksums.get(revision) !== checksum,
  );
  return different && `ledger: revision ${different.revision} is another one on the first server`;
}
