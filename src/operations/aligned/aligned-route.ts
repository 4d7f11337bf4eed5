import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { HttpError } from '../../http/http-error.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { findFirstValue } from '../../http/request/parse-query.ts';
import { toPageRecords } from '../../http/responses/encode-page.ts';
import { curveOperation } from '../curve/curve-operation.ts';
import { createOperationRoute, type OperationPage } from '../operation-route.ts';
import { parseRange } from '../plan-transform.ts';
import { CURVE_COST, computeRequestCost, MIN_COMPUTED_COST } from '../request-cost.ts';
import { type AlignedColumn, columnsParameter, findNamedSources } from './aligned-columns.ts';
import { alignedOperation } from './aligned-operation.ts';
import {
  describeRows,
  findTableKind,
  type PlannedTable,
  parseTablePeriod,
  planColumns,
} from './plan-table.ts';
import { readAlignedTable } from './read-aligned-table.ts';

interface AlignedQuery extends PageQuery {
  readonly table: PlannedTable;
}

/** Columns that take about as long as a record. */
const COLUMNS_PER_RECORD = 5;

/** The route that puts figures of several datasets into one table. */
export function createAlignedRoute({ datasets }: Catalogue): PageRoute<AlignedQuery> {
  return createOperationRoute(alignedOperation(datasets), {
    findScope: ({ parameters: sent }) =>
      findNamedSources(findFirstValue(sent, 'columns') ?? '', datasets).map(({ scope }) => scope),
    parse({ filters, position, ...page }) {
      const table = planTable(datasets, filters, position);
      if (table instanceof HttpError) return table;
      const named = new Set(table.columns.flatMap(({ source }) => source.datasets));
      return { ...page, source: describeRows(table), datasets: [...named], table };
    },
    cost({ table: { columns, limit }, format }, page) {
      const rows = page?.count ?? limit;
      const records = Math.ceil((rows * columns.length) / COLUMNS_PER_RECORD);
      const curves = columns.some(isOfCurve) ? rows * CURVE_COST : 0;
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
  const { columns: requested, frequency, year_start: yearStart, limit = DEFAULT_LIMIT } = filters;
  if (!requested) return MISSING_COLUMNS_ERROR;
  const columns = planColumns(requested, datasets);
  const kind = findTableKind(columns, { frequency, yearStart });
  if (typeof kind === 'string') return unfitColumns(kind);
  if (yearStart !== undefined && !kind.hasYearStart) return new HttpError('year_start_of_nothing');
  const allowed = `${kind.requirement}, a finer period, or a day in it as YYYY-MM-DD`;
  const range = parseRange(filters, (text) => parseTablePeriod(kind, text), allowed);
  if (range instanceof HttpError) return range;
  const to = position ? Number(position[0]) - 1 : range.to;
  return { columns, kind, from: range.from, to, limit, includesStatus: filters.status === 'true' };
}

const isOfCurve = ({ dataset }: AlignedColumn) => dataset === curveOperation.name;

const unfitColumns = (problem: string) => new HttpError('unfit_columns', { problem });

const MISSING_COLUMNS_ERROR = new HttpError('missing_parameter', {
  parameter: 'columns',
  allowed: columnsParameter([]).requirement,
});
