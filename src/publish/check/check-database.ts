import { indexHolidays, type PricingTerms, TERM_NAMES, toPricingTerms } from '../../bonds/index.ts';
import { Catalogue } from '../../catalogue/catalogues.ts';
import { type Holiday, holidays } from '../../catalogue/datasets/holidays.ts';
import { securities } from '../../catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { checkLog, StoredChanges } from '../../check/check-log.ts';
import { checkStore, reportUnreadable } from '../../check/check-store.ts';
import { parseJsonOrText } from '../../check/dataset-checker.ts';
import { foldAsciiCase, getStorageTable } from '../../schema/storage-table.ts';
import { validateRecord } from '../../schema/validate-record.ts';
import { system } from '../../shared/system.ts';
import {
  type SealedEntry,
  type StoreInspector,
  StoreUnavailableError,
} from '../../store/open-store.ts';
import { LoadReportBuilder, type WarningGroup } from '../load/load-report.ts';
import { createCalendarCheck } from '../quality/unknown-calendar.ts';
import { CurrentRecordChecker } from './current-record-checker.ts';

export interface CheckResult {
  readonly revisions: number;
  /** The number of checked rows, history included. */
  readonly rows: number;
  readonly faults: readonly string[];
  readonly faultCount: number;
  readonly warnings: readonly WarningGroup[];
}

interface CheckOptions {
  readonly onRows?: (rows: number) => void;
  /** The day that dates may not be after, as YYYY-MM-DD; by default that of the clock in UTC. */
  readonly today?: string;
}

const MAX_LISTED_FAULTS = 100;

/** Checks all that a server checks, and the log of the ledger; warns of current records as a load. */
export async function checkDatabase(
  inspector: StoreInspector,
  catalogue: readonly Dataset[],
  { onRows, today = new Date().toISOString().slice(0, 10) }: CheckOptions = {},
): Promise<CheckResult> {
  const report = new LoadReportBuilder();
  const result = { rows: 0, faults: [] as string[], faultCount: 0 };
  const reportFault = (line: string) => {
    result.faultCount++;
    if (result.faults.length < MAX_LISTED_FAULTS) result.faults.push(line);
  };
  const changes = new StoredChanges();
  const check = checkStore(inspector, {
    catalogue,
    changes,
    reportFault,
    async afterSlice(records) {
      result.rows += records;
      if (!onRows) return;
      await system.nextTurn();
      onRows(records);
    },
    async inspectRecords(dataset, revision) {
      const hasTerms = dataset.shape === 'quotes' && catalogue.includes(securities);
      const terms = hasTerms ? await readConstantTerms(inspector, revision) : new Map();
      const findWarning =
        dataset.name === securities.name
          ? createCalendarCheck(await readHolidays(inspector, revision))
          : undefined;
      const checker = new CurrentRecordChecker(dataset, terms, report, today, findWarning);
      return {
        check: (record) => checker.check(record),
        finish: () => checker.finish(() => readCurrentRecords(inspector, dataset, revision)),
      };
    },
  });
  const checkAll = async () => {
    const { revision, revisions } = await check;
    const declared = await inspector.declarations(revision);
    const known = new Catalogue(catalogue, declared).listWithRetired();
    const findDataset = (name: string) => known.find((each) => each.name === name);
    await reportUnreadable(reportFault, undefined, () =>
      checkLog(inspector, revision, changes, findDataset, reportFault),
    );
    return revisions;
  };
  const revisions = await checkAll().catch((cause) => {
    if (!(cause instanceof StoreUnavailableError)) throw cause;
    reportFault(`the database cannot be read: ${cause.message}`);
    return 0;
  });
  return { ...result, revisions, warnings: report.build().warnings };
}

/** The pricing terms that never change: another coupon does not apply to older quotes. */
async function readConstantTerms(inspector: StoreInspector, revision: number) {
  const findHolidays = indexHolidays(await readHolidays(inspector, revision));
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
  for await (const rows of readRows(inspector, securities, revision))
    for (const { json } of rows) addVersion(json);
  for (const symbol of changed) terms.delete(symbol);
  return terms;
}

async function readHolidays(inspector: StoreInspector, revision: number): Promise<Holiday[]> {
  const days = (await Array.fromAsync(readCurrentRecords(inspector, holidays, revision))).flat();
  return days.filter((record) => validateRecord(holidays, record).length === 0) as Holiday[];
}

async function* readRows(inspector: StoreInspector, dataset: Dataset, revision: number) {
  for await (const { rows } of inspector.slices(getStorageTable(dataset), revision)) yield rows;
}

/** Every entry of the ledger, oldest first. */
export async function readWholeLedger(inspector: StoreInspector): Promise<SealedEntry[]> {
  return (await Array.fromAsync(inspector.ledger(await inspector.revision()))).flat();
}

async function* readCurrentRecords(inspector: StoreInspector, dataset: Dataset, revision: number) {
  for await (const rows of readRows(inspector, dataset, revision))
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
