import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { describePeriod } from '../../catalogue/model/observations.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import { MAX_LIMIT } from '../../catalogue/model/response-parameters.ts';
import {
  CURVE_COST,
  computeRequestCost,
  MIN_COMPUTED_COST,
} from '../../http/background/job-scheduler.ts';
import { HttpError } from '../../http/http-error.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { findFirstValue } from '../../http/request/parse-query.ts';
import { toPageRecords } from '../../http/responses/encode-page.ts';
import { createOperationRoute, type OperationPage } from '../operation-route.ts';
import { parseRange } from '../plan-transform.ts';
import { columnsParameter, findNamedSources } from './aligned-columns.ts';
import { alignedOperation } from './aligned-operation.ts';
import {
  createColumnNaming,
  describeRows,
  type Following,
  findTableKind,
  type PlannedColumn,
  type PlannedTable,
  parseTablePeriod,
  planColumns,
} from './plan-table.ts';
import { readAlignedTable } from './read-table.ts';

interface AlignedQuery extends PageQuery {
  readonly table: PlannedTable;
}

/** Columns that take about as long as a record. */
const COLUMNS_PER_RECORD = 5;
/** Figures of that many rows take some seconds. */
const MAX_COMPUTED_ROWS = 1_000;

/** The route that puts figures of several datasets into one table. */
export function createAlignedRoute({ datasets }: Catalogue): PageRoute<AlignedQuery> {
  return createOperationRoute(alignedOperation(datasets), {
    findScope: ({ parameters: sent }) =>
      findNamedSources(findFirstValue(sent, 'columns') ?? '', datasets).map(({ scope }) => scope),
    parse({ filters, position, ...page }): AlignedQuery | HttpError {
      const table = planTable(datasets, filters, position);
      if (table instanceof HttpError) return table;
      const named = new Set(table.columns.flatMap(({ source }) => source.datasets));
      const source = describeRows(table);
      return { ...page, source, datasets: [...named], isBounded: true, table };
    },
    cost({ table: { columns, limit }, format, available = limit }, page) {
      const rows = page?.count ?? Math.min(limit, available);
      const records = Math.ceil((rows * columns.length) / COLUMNS_PER_RECORD);
      const curves = columns.some(({ source }) => source.computed) ? rows * CURVE_COST : 0;
      return Math.max(
        page ? 1 : MIN_COMPUTED_COST,
        curves + computeRequestCost({ records, format }),
      );
    },
    async read(query, { view, reader, client: { signal } }) {
      const { unknown, ...rows } = await readAlignedTable(query.table, { reader, view, signal });
      return unknown === undefined
        ? toPageRecords(query, { ...rows, revision: view.revision })
        : unfitColumns(unknown);
    },
  });
}

type AlignedValues = ParameterValues<ReturnType<typeof alignedOperation>['parameters']>;

/** The table of a request: its columns fit each other, and its periods fit the columns. */
function planTable(
  datasets: readonly Dataset[],
  filters: AlignedValues,
  position: OperationPage['position'],
): PlannedTable | HttpError {
  const { columns: requested, frequency, year_start: yearStart, min_share: minShare } = filters;
  if (!requested) return MISSING_COLUMNS_ERROR;
  const following = FOLLOWING_NAMES.filter((name) => filters[name] === 'true');
  const naming = createColumnNaming(filters.names === 'plain', following);
  const columns = planColumns(requested, datasets, naming);
  const kind = findTableKind(columns, { frequency, yearStart });
  if (typeof kind === 'string') return unfitColumns(kind);
  if (yearStart !== undefined && !kind.hasYearStart) return new HttpError('year_start_of_nothing');
  const isSummed = ({ source, aggregate }: PlannedColumn) =>
    aggregate === 'sum' && source.kind.unit !== kind.unit;
  const summed = minShare !== undefined && minShare < 1 && columns.find(isSummed);
  if (summed)
    return new HttpError('share_of_sum', { measure: `"${summed.name}"`, remedy: SUM_REMEDY });
  const allowed = `${describePeriod(kind)}, or a finer period`;
  const range = parseRange(filters, (text) => parseTablePeriod(kind, text), kind, allowed);
  if (range instanceof HttpError) return range;
  const isOldestFirst = filters.sort === 'asc';
  const place = position && Number(position[0]);
  const maxRows = columns.some(({ source }) => source.computed) ? MAX_COMPUTED_ROWS : MAX_LIMIT;
  return {
    columns,
    kind,
    isOldestFirst,
    minShare,
    following,
    from: isOldestFirst && place !== undefined ? place + 1 : range.from,
    to: isOldestFirst || place === undefined ? range.to : place - 1,
    limit: Math.min(filters.limit ?? MAX_LIMIT, maxRows),
    includesPartial: filters.partial === 'true',
  };
}

const FOLLOWING_NAMES = ['status', 'observed'] as const satisfies readonly Following[];

const SUM_REMEDY = 'give the column an aggregate such as @mean, or leave this out';

const unfitColumns = (problem: string) => new HttpError('unfit_columns', { problem });

const MISSING_COLUMNS_ERROR = new HttpError('missing_parameter', {
  parameter: 'columns',
  allowed: columnsParameter([]).requirement,
});
