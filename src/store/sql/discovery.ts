import type { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import type { quotes } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import type { FundSummary, SecuritySummary } from '../../catalogue/operations/discovery.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { Coverage, RevisionedList } from '../reader.ts';
import type { Dialect } from './dialect.ts';
import {
  boundaryRecordStatement,
  datasetStatesStatement,
  securitiesStatement,
} from './discovery-statements.ts';
import type { QuerySteps } from './query-steps.ts';
import { queryRow, queryRows } from './query-steps.ts';
import { allRecordsStatement } from './record-statements.ts';
import type { ResolvedAsOf } from './select-records.ts';
import { UNCOMMITTED_STATE } from './select-records.ts';

/** What the ledger tells of a dataset: its last revision up to the one that is asked for. */
interface DatasetState {
  readonly dataset: string;
  readonly revision: number;
  readonly published_at: string;
  readonly source: string;
  readonly sample: number;
  readonly newest: string | null;
  readonly count: number;
  /** Whether there are later revisions of the dataset. */
  readonly changed: boolean;
  readonly dialect: Dialect;
}

/** What is found by what the ledger tells of each dataset. */
export function* withDatasetStates<T>(
  asOf: number | undefined,
  dialect: Dialect,
  find: (ledger: ReadonlyMap<string, DatasetState>) => QuerySteps<readonly T[]>,
): QuerySteps<RevisionedList<T>> {
  const { sql, values } = datasetStatesStatement(asOf);
  const rows = yield* queryRows<DatasetState>(sql, values);
  // Engines may give large numbers as texts, and truth as a number.
  const last = rows.map((row) => ({
    ...row,
    count: Number(row.count),
    changed: Boolean(row.changed),
    dialect,
  }));
  const newest = Math.max(0, ...last.map(({ revision }) => revision));
  const entries = yield* find(new Map(last.map((entry) => [entry.dataset, entry])));
  return { revision: asOf ?? newest, entries };
}

/** How far each of the datasets reaches. */
export function* findCoverage(
  datasets: readonly Dataset[],
  ledger: ReadonlyMap<string, DatasetState>,
): QuerySteps<Coverage[]> {
  const all: Coverage[] = [];
  for (const dataset of datasets)
    all.push(yield* findDatasetCoverage(dataset, ledger.get(dataset.name)));
  return all;
}

function* findDatasetCoverage(dataset: Dataset, last?: DatasetState): QuerySteps<Coverage> {
  if (!last) return { dataset, ...NO_COVERAGE, count: 0, lastRevision: null };
  const { revision, published_at: publishedAt, source, sample, count } = last;
  const lastRevision = { revision, publishedAt, source, sample: sample === 1 };
  return { dataset, ...(yield* findCoverageBounds(dataset, last)), count, lastRevision };
}

type CoverageBounds = Pick<Coverage, 'first' | 'last'>;
const NO_COVERAGE: CoverageBounds = { first: null, last: null };

function* findCoverageBounds(dataset: Dataset, last: DatasetState): QuerySteps<CoverageBounds> {
  if (last.count === 0) return NO_COVERAGE;
  if (dataset.shape === 'fund') {
    const funds = yield* findFunds(dataset, last);
    const days = funds.flatMap(({ firstPeriod, lastPeriod }) =>
      firstPeriod && lastPeriod ? [firstPeriod.date, lastPeriod.date] : [],
    );
    days.sort();
    return { first: days[0] ?? null, last: days.at(-1) ?? null };
  }
  const field = dataset.period?.field ?? 'date';
  const at = function* (end: 'first' | 'last'): QuerySteps<string | null> {
    const { sql, values } = boundaryRecordStatement(
      getStorageTable(dataset),
      end,
      toResolvedAsOf(last),
    );
    const found = yield* queryRow<RecordRow>(sql, values);
    return found ? String(parseRecord<AnyRecord>(found.record)[field]) : null;
  };
  return { first: yield* at('first'), last: yield* at('last') };
}

/** Every security that a dataset has quotes of, by symbol. */
export function* findSecurities(
  dataset: Dataset,
  last: DatasetState | undefined,
): QuerySteps<SecuritySummary[]> {
  if (!last?.count) return [];
  const { sql, values } = securitiesStatement(getStorageTable(dataset), toResolvedAsOf(last));
  const rows = yield* queryRows<SecurityRow>(sql, values);
  return rows.map((quoted) => {
    const { symbol, firstDate } = quoted;
    const { isin, type, maturityDate, date } = parseRecord<DatasetRecord<typeof quotes>>(
      quoted.newest,
    );
    return { symbol, isin, type, maturityDate, firstDate, lastDate: date };
  });
}

/** Every fund of a dataset, by identifier. */
export function* findFunds(
  dataset: Dataset,
  last: DatasetState | undefined,
): QuerySteps<FundSummary[]> {
  if (!last?.count) return [];
  const { sql, values } = allRecordsStatement(getStorageTable(dataset), toResolvedAsOf(last));
  const rows = yield* queryRows<RecordRow>(sql, values);
  return rows.map(({ record }) => {
    const { fund_id, frequency, periods } =
      parseRecord<DatasetRecord<typeof fundAllocation>>(record);
    // Periods are stored newest first.
    const [lastPeriod = null, firstPeriod = lastPeriod] = [periods[0], periods.at(-1)];
    return { fund_id, frequency, firstPeriod, lastPeriod };
  });
}

interface RecordRow {
  readonly record: string;
}

interface SecurityRow {
  readonly symbol: string;
  readonly firstDate: string;
  readonly newest: string;
}

/** Where to look for the records of a dataset's revision; undefined where they are the present. */
function toResolvedAsOf({
  changed,
  revision,
  newest,
  dialect,
}: DatasetState): ResolvedAsOf | undefined {
  const { needsPlannerHints, isDistributed, holdsWriteLock } = dialect;
  if (!changed && !isDistributed) return undefined;
  if (!changed && holdsWriteLock) return UNCOMMITTED_STATE;
  return {
    revision,
    tables: 'both',
    newestDay: newest,
    needsPlannerHints,
    isDistributed,
    isNewest: !changed,
  };
}

function parseRecord<T>(text: string): T {
  return JSON.parse(text) as T;
}
