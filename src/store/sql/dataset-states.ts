import type { Dialect } from './dialect.ts';
import { datasetStatesStatement } from './discovery-statements.ts';
import { type QuerySteps, queryRows } from './query-steps.ts';
import { type LocatedRecords, UNCOMMITTED_STATE } from './select-records.ts';

/** The last revision of a dataset up to another one, and the size of the dataset then. */
export interface DatasetState extends Pick<LocatedRecords, 'revision' | 'newestDay'> {
  readonly dataset: string;
  readonly publishedAt: string;
  readonly source: string;
  readonly sample: number;
  readonly count: number;
  /** Where its records are; undefined if they are the current ones. */
  readonly asOf: LocatedRecords | undefined;
}

/** By the names of datasets; those without a revision have none. */
export type DatasetStates = ReadonlyMap<string, DatasetState>;

export function* readDatasetStates(
  asOf: number | undefined,
  dialect: Dialect,
): QuerySteps<{ revision: number; states: DatasetStates }> {
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
    // Each revision is the last one of some dataset: one that does not exist is never claimed.
    revision: Math.max(0, ...states.map(({ revision }) => revision)),
    states: new Map(states.map((state) => [state.dataset, state])),
  };
}

function toResolvedAsOf(
  { revision, newestDay }: Pick<LocatedRecords, 'revision' | 'newestDay'>,
  isNewest: boolean,
  { needsPlannerHints, isDistributed, holdsWriteLock }: Dialect,
): LocatedRecords | undefined {
  if (isNewest && !isDistributed) return undefined;
  if (isNewest && holdsWriteLock) return UNCOMMITTED_STATE;
  return { revision, tables: 'both', newestDay, needsPlannerHints, isDistributed, isNewest };
}
