import type { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import { type FundRecord, funds } from '../../catalogue/datasets/funds.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { type SecurityRecord, securities } from '../../catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import type { FundFrequency } from '../../catalogue/model/next-due.ts';
import { type FundSummary, fundsOperation } from '../../operations/funds/funds-operation.ts';
import {
  type SecuritySummary,
  securitiesOperation,
} from '../../operations/securities/securities-operation.ts';
import { foldAsciiCase, getStorageTable } from '../../schema/storage-table.ts';
import { getSummaryTables } from '../../schema/summary-tables.ts';
import type { Coverage, RevisionedList } from '../reader.ts';
import { type DatasetState, type DatasetStates, readDatasetStates } from './dataset-states.ts';
import type { Dialect } from './dialect.ts';
import { boundaryRecordStatement, symbolsStatement } from './discovery-statements.ts';
import { type QuerySteps, queryRow, queryRows } from './query-steps.ts';
import { joinReferenceData, readRecords } from './reference-data.ts';
import { ISIN_PATTERN } from './resolve-securities.ts';
import { figureConditions } from './sql-fragments.ts';

export function* findCoverage(
  datasets: readonly Dataset[],
  asOf: number | undefined,
  dialect: Dialect,
): QuerySteps<RevisionedList<Coverage>> {
  const { revision, states } = yield* readDatasetStates(asOf, dialect);
  const entries: Coverage[] = [];
  for (const dataset of datasets) {
    const state = states.get(dataset.name);
    const bounds = yield* findBounds(dataset, states);
    const lastRevision = state ? toLastRevision(state) : null;
    entries.push({ dataset, ...bounds, count: state?.count ?? 0, lastRevision });
  }
  return { revision, entries };
}

export function* findSecurities(
  dataset: Dataset,
  asOf: number | undefined,
  dialect: Dialect,
): QuerySteps<RevisionedList<SecuritySummary>> {
  const { revision, states } = yield* readDatasetStates(asOf, dialect);
  const entries = joinReferenceData({
    entries: yield* findQuotedSecurities(dataset, states.get(dataset.name), dialect),
    references: yield* readRecords<SecurityRecord>(securities, states),
    getId: ({ symbol }) => symbol,
    getAlternateId: ({ isin }) => (ISIN_PATTERN.test(isin) ? isin : undefined),
    getSortKey: (symbol) => symbol,
    example: securitiesOperation.example[0] as SecuritySummary,
  });
  return { revision, entries };
}

function* findQuotedSecurities(
  dataset: Dataset,
  state: DatasetState | undefined,
  dialect: Dialect,
): QuerySteps<QuotedSecurity[]> {
  const summaries = getSummaryTables(dataset);
  if (!state?.count || !summaries) return [];
  const rows = yield* queryRows<SecurityRow>(
    symbolsStatement(getStorageTable(dataset), summaries.securities, dialect, state.asOf),
  );
  return rows.flatMap(({ symbol, firstDate, newest }) => {
    // A symbol without quotes at that revision, or any more.
    if (firstDate === null || newest === null) return [];
    const quote = JSON.parse(newest) as Quote;
    const { isin, type, maturityDate, date: lastDate } = quote;
    return [{ symbol, isin, type, maturityDate, firstDate, lastDate }];
  });
}

interface QuotedSecurity extends Pick<Quote, 'symbol' | 'isin' | 'type' | 'maturityDate'> {
  readonly firstDate: string;
  readonly lastDate: string;
}

interface SecurityRow extends Record<'firstDate' | 'newest', string | null> {
  readonly symbol: string;
}

export function* findFunds(
  dataset: Dataset,
  asOf: number | undefined,
  dialect: Dialect,
): QuerySteps<RevisionedList<FundSummary>> {
  const { revision, states } = yield* readDatasetStates(asOf, dialect);
  const entries = joinReferenceData({
    entries: yield* readFunds(dataset, states),
    references: yield* readRecords<FundRecord>(funds, states),
    getId: ({ fund_id }) => fund_id,
    getSortKey: foldAsciiCase,
    example: fundsOperation.example[0] as FundSummary,
  });
  return { revision, entries };
}

interface ReportingFund extends Pick<FundSummary, 'fund_id' | 'firstPeriod' | 'lastPeriod'> {
  readonly frequency: string;
}

function* readFunds(
  dataset: Dataset,
  states: DatasetStates,
  hasFigures = false,
): QuerySteps<ReportingFund[]> {
  const records = yield* readRecords<DatasetRecord<typeof fundAllocation>>(dataset, states);
  // The periods of a fund without classes have no figures.
  const counted = hasFigures ? records.filter(({ rows }) => rows.length > 0) : records;
  return counted.map(({ fund_id, frequency, periods }) => {
    // Periods are stored newest first.
    const [lastPeriod = null, firstPeriod = lastPeriod] = [periods[0], periods.at(-1)];
    return { fund_id, frequency, firstPeriod, lastPeriod };
  });
}

function toLastRevision({ revision, publishedAt, source, sample }: DatasetState) {
  return { revision, publishedAt, source, sample: sample === 1 };
}

type CoverageBounds = Pick<Coverage, 'first' | 'last' | 'lastByFrequency'>;
const NO_BOUNDS: CoverageBounds = { first: null, last: null };

function* findBounds(dataset: Dataset, states: DatasetStates): QuerySteps<CoverageBounds> {
  const state = states.get(dataset.name);
  // Reference data has no days and no periods.
  if (!state?.count || dataset.shape === 'reference') return NO_BOUNDS;
  if (dataset.shape === 'fund') {
    const reporting = yield* readFunds(dataset, states, true);
    const days = reporting.flatMap(({ firstPeriod, lastPeriod }) =>
      firstPeriod && lastPeriod ? [firstPeriod.date, lastPeriod.date] : [],
    );
    days.sort();
    const lastByFrequency = findLastByFrequency(reporting);
    return { first: days[0] ?? null, last: days.at(-1) ?? null, lastByFrequency };
  }
  const field = dataset.period?.field ?? 'date';
  const table = getStorageTable(dataset);
  const findBound = function* (boundary: 'first' | 'last'): QuerySteps<string | null> {
    const row = yield* queryRow<{ record: string }>(
      boundaryRecordStatement(table, boundary, state.asOf, figureConditions(dataset)),
    );
    return row ? String((JSON.parse(row.record) as AnyRecord)[field]) : null;
  };
  return { first: yield* findBound('first'), last: yield* findBound('last') };
}

function findLastByFrequency(reporting: readonly ReportingFund[]): FundFrequency[] {
  const dates = new Map<string, string>();
  for (const { frequency, lastPeriod } of reporting) {
    const date = dates.get(frequency);
    if (lastPeriod && (date === undefined || lastPeriod.date > date))
      dates.set(frequency, lastPeriod.date);
  }
  return Array.from(dates, ([frequency, date]) => ({ frequency, date }));
}
