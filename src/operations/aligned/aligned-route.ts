import {
  type AlignedSelection,
  describeRows,
  findTableKind,
  parseTablePeriod,
  planColumns,
} from '../../analytics/aligned/plan-table.ts';
import { getAlignedTableReader } from '../../analytics/readers.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { HttpError } from '../../http/http-error.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { type PageRequest, parsePageRequest } from '../../http/request/data-query.ts';
import { findFirstValue } from '../../http/request/parse-query.ts';
import { parseRange } from '../../http/request/plan-transform.ts';
import {
  CURVE_COST,
  computeRequestCost,
  MIN_COMPUTED_COST,
} from '../../http/request/request-cost.ts';
import { toPageRecords } from '../../http/responses/encode-page.ts';
import { curveOperation } from '../curve/curve-operation.ts';
import { type AlignedColumn, columnsParameter, findNamedSources } from './aligned-columns.ts';
import { alignedOperation } from './aligned-operation.ts';

interface AlignedQuery extends PageQuery {
  readonly aligned: AlignedSelection;
}

/** Columns that take about as long as a record. */
const COLUMNS_PER_RECORD = 5;

/** The operation that puts figures of several datasets into one table. */
export function createAlignedRoute(datasets: readonly Dataset[]): PageRoute<AlignedQuery> {
  const operation = alignedOperation(datasets);
  const { path, parameters } = operation;
  return {
    path,
    operation,
    findScope: ({ parameters: sent }) =>
      findNamedSources(findFirstValue(sent, 'columns') ?? '', datasets).map(({ scope }) => scope),
    parse(request) {
      const page = parsePageRequest(request, parameters);
      if (page instanceof HttpError) return page;
      const { filters, position, ...query } = page;
      const table = planTable(datasets, filters, position);
      return table instanceof HttpError ? table : { ...query, ...table };
    },
    cost({ aligned: { columns, limit }, format }, page) {
      const rows = page?.count ?? limit;
      const records = Math.ceil((rows * columns.length) / COLUMNS_PER_RECORD);
      const curves = columns.some(isOfCurve) ? rows * CURVE_COST : 0;
      return Math.max(
        page ? 1 : MIN_COMPUTED_COST,
        curves + computeRequestCost({ records, format }),
      );
    },
    async read(query, { view: { catalogue, revision }, reader, client }) {
      const selection = { ...query.aligned, asOf: revision };
      const table = getAlignedTableReader(reader);
      const { unknown, ...rows } = await table.read(catalogue, selection, client.signal);
      return unknown === undefined ? toPageRecords(query, rows) : unfitColumns(unknown);
    },
  };
}

type AlignedValues = ParameterValues<ReturnType<typeof alignedOperation>['parameters']>;

/** The table of a request: its columns fit each other, and its periods fit the columns. */
function planTable(
  datasets: readonly Dataset[],
  filters: AlignedValues,
  position: PageRequest['position'],
): Pick<AlignedQuery, 'aligned' | 'source' | 'datasets'> | HttpError {
  const { columns, frequency, year_start: yearStart, limit = DEFAULT_LIMIT, status } = filters;
  if (!columns) return MISSING_COLUMNS_ERROR;
  const planned = planColumns(columns, datasets);
  const kind = findTableKind(planned, { frequency, yearStart });
  if (typeof kind === 'string') return unfitColumns(kind);
  if (yearStart !== undefined && !kind.hasYearStart) return new HttpError('year_start_of_nothing');
  const allowed = `${kind.requirement}, a finer period, or a day in it as YYYY-MM-DD`;
  const range = parseRange(filters, (text) => parseTablePeriod(kind, text), allowed);
  if (range instanceof HttpError) return range;
  return {
    source: describeRows(kind, planned, { includesStatus: status === 'true' }),
    datasets: [...new Set(planned.flatMap(({ source }) => source.datasets))],
    aligned: {
      ...{ columns, frequency, yearStart, limit, ...range },
      ...(position && { to: Number(position[0]) - 1 }),
      includesStatus: status === 'true',
    },
  };
}

const isOfCurve = ({ dataset }: AlignedColumn) => dataset === curveOperation.name;

const unfitColumns = (problem: string) => new HttpError('unfit_columns', { problem });

const MISSING_COLUMNS_ERROR = new HttpError('missing_parameter', {
  parameter: 'columns',
  allowed: columnsParameter([]).requirement,
});
