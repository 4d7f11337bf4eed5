import type { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import type { quotes } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import type { FundFrequency } from '../../catalogue/model/next-due.ts';
import type { FundSummary, SecuritySummary } from '../../catalogue/operations/discovery.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { getSummaryTables } from '../../schema/summary-tables.ts';
import type { Coverage, RevisionedList } from '../reader.ts';
import type { Dialect } from './dialect.ts';
import {
  boundaryRecordStatement,
  datasetStatesStatement,
  securitiesStatement,
} from './discovery-statements.ts';
import { type QuerySteps, queryRow, queryRows } from './query-steps.ts';
import { allRecordsStatement } from './record-statements.ts';
import { type ResolvedAsOf, UNCOMMITTED_STATE } from './resolve-as-of.ts';

export function* findCoverage(
  datasets: readonly Dataset[],
  asOf: number | undefined,
  dialect: Dialect,
): QuerySteps<RevisionedList<Coverage>> {
  const { revision, states } = yield* readDatasetStates(asOf, dialect);
  const entries: Coverage[] = [];
  for (const dataset of datasets) {
    const state = states.get(dataset.name);
    const bounds = state?.count ? yield* findBounds(dataset, state.asOf) : NO_BOUNDS;
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
  const state = states.get(dataset.name);
  const summaries = getSummaryTables(dataset);
  if (!state?.count || !summaries) return { revision, entries: [] };
  const rows = yield* queryRows<SecurityRow>(
    securitiesStatement(getStorageTable(dataset), summaries.securities, dialect, state.asOf),
  );
  const entries = rows.flatMap(({ symbol, firstDate, newest }) => {
    // A symbol without quotes at that revision, or any more.
    if (firstDate === null || newest === null) return [];
    const quote = JSON.parse(newest) as DatasetRecord<typeof quotes>;
    const { isin, type, maturityDate, date: lastDate } = quote;
    return [{ symbol, isin, type, maturityDate, firstDate, lastDate }];
  });
  return { revision, entries };
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
  const state = states.get(dataset.name);
  return { revision, entries: state?.count ? yield* readFunds(dataset, state.asOf) : [] };
}

function* readFunds(dataset: Dataset, asOf?: ResolvedAsOf): QuerySteps<FundSummary[]> {
  const rows = yield* queryRows<RecordRow>(allRecordsStatement(getStorageTable(dataset), asOf));
  return rows.map(({ record }) => {
    const fund = JSON.parse(record) as DatasetRecord<typeof fundAllocation>;
    const { fund_id, frequency, periods } = fund;
    // Periods are stored newest first.
    const [lastPeriod = null, firstPeriod = lastPeriod] = [periods[0], periods.at(-1)];
    return { fund_id, frequency, firstPeriod, lastPeriod };
  });
}

type RecordRow = Record<'record', string>;

/** The last revision of a dataset up to another one, and the size of the dataset then. */
interface DatasetState extends Pick<ResolvedAsOf, 'revision' | 'newestDay'> {
  readonly dataset: string;
  readonly publishedAt: string;
  readonly source: string;
  readonly sample: number;
  readonly count: number;
  /** Where its records are; undefined where they are the current ones. */
  readonly asOf: ResolvedAsOf | undefined;
}

function* readDatasetStates(
  asOf: number | undefined,
  dialect: Dialect,
): QuerySteps<{ revision: number; states: ReadonlyMap<string, DatasetState> }> {
  const rows = yield* queryRows<DatasetState & { hasLater: boolean | number }>(
    datasetStatesStatement(asOf),
  );
  const states = rows.map(
    (row): DatasetState => ({
      ...row,
      // Engines may return large numbers as text, and booleans as numbers.
      count: Number(row.count),
      asOf: toResolvedAsOf(row, !row.hasLater, dialect),
    }),
  );
  return {
    revision: asOf ?? Math.max(0, ...states.map(({ revision }) => revision)),
    states: new Map(states.map((state) => [state.dataset, state])),
  };
}

function toResolvedAsOf(
  { revision, newestDay }: Pick<ResolvedAsOf, 'revision' | 'newestDay'>,
  isNewest: boolean,
  { needsPlannerHints, isDistributed, holdsWriteLock }: Dialect,
): ResolvedAsOf | undefined {
  if (isNewest && !isDistributed) return undefined;
  if (isNewest && holdsWriteLock) return UNCOMMITTED_STATE;
  return { revision, tables: 'both', newestDay, needsPlannerHints, isDistributed, isNewest };
}

function toLastRevision({ revision, publishedAt, source, sample }: DatasetState) {
  return { revision, publishedAt, source, sample: sample === 1 };
}

type CoverageBounds = Pick<Coverage, 'first' | 'last' | 'lastByFrequency'>;
const NO_BOUNDS: CoverageBounds = { first: null, last: null };

function* findBounds(dataset: Dataset, asOf?: ResolvedAsOf): QuerySteps<CoverageBounds> {
  if (dataset.shape === 'fund') {
    const funds = yield* readFunds(dataset, asOf);
    const days = funds.flatMap(({ firstPeriod, lastPeriod }) =>
      firstPeriod && lastPeriod ? [firstPeriod.date, lastPeriod.date] : [],
    );
    days.sort();
    const lastByFrequency = findLastByFrequency(funds);
    return { first: days[0] ?? null, last: days.at(-1) ?? null, lastByFrequency };
  }
  const field = dataset.period?.field ?? 'date';
  const table = getStorageTable(dataset);
  const findBound = function* (boundary: 'first' | 'last'): QuerySteps<string | null> {
    const row = yield* queryRow<RecordRow>(boundaryRecordStatement(table, boundary, asOf));
    return row ? String((JSON.parse(row.record) as AnyRecord)[field]) : null;
  };
  return { first: yield* findBound('first'), last: yield* findBound('last') };
}

function findLastByFrequency(funds: readonly FundSummary[]): FundFrequency[] {
  const dates = new Map<string, string>();
  for (const { frequency, lastPeriod } of funds) {
    const date = dates.get(frequency);
    if (lastPeriod && (date === undefined || lastPeriod.date > date))
      dates.set(frequency, lastPeriod.date);
  }
  return Array.from(dates, ([frequency, date]) => ({ frequency, date }));
}
