import { TABLE_FIGURES } from '../../catalogue/datasets/quotes.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import {
  getPeriod,
  listServedForms,
  OBSERVATIONS_PATH,
} from '../../catalogue/model/observations.ts';
import { HttpError } from '../../http/http-error.ts';
import type {
  CustomRoute,
  OperationRequest,
  PageQuery,
  PageRoute,
} from '../../http/pipeline/route.ts';
import { FLAT_FORMATS } from '../../http/request/data-query.ts';
import { planQuery, type QueryPlan } from '../../http/request/plan-query.ts';
import {
  CURVE_COST,
  computeRequestCost,
  LIST_COST,
  MIN_COMPUTED_COST,
} from '../../http/request/request-cost.ts';
import type { EncodedPage } from '../../http/responses/encode-page.ts';
import { NOT_FOUND_RESPONSE } from '../../http/responses/response.ts';
import { MAX_SEARCHED_SERIES, type Selection } from '../../store/open-store.ts';
import {
  type DatasetTransform,
  getResultKind,
  transformDataset,
} from '../../transforms/transformed-dataset.ts';
import { getBase } from '../../transforms/units.ts';
import { needsSpreads, type QuoteTable } from './quote-table.ts';
import { readRecords } from './read-records.ts';

type DatasetQuery = QueryPlan &
  PageQuery &
  Pick<OperationRequest, 'includesTotal'> & { readonly quoteTable?: QuoteTable | undefined };

/** The routes of a dataset: the records that a request selects. */
export function createDatasetRoutes(
  dataset: Dataset,
  successor?: Dataset,
): PageRoute<DatasetQuery>[] {
  return listServedForms(dataset)
    .flatMap(createRoutes)
    .map((route) => ({ ...route, successor }));
}

/** The route of all other names: those of some may be in the catalogue of another revision. */
export const UNKNOWN_DATASET_ROUTE: CustomRoute = {
  path: OBSERVATIONS_PATH,
  respond: () => NOT_FOUND_RESPONSE,
};

function createRoutes(dataset: Dataset): PageRoute<DatasetQuery>[] {
  const { name, scope } = dataset;
  const route: Omit<PageRoute<DatasetQuery>, 'path'> = {
    dataset,
    scope,
    tellsMissingFirst: dataset.shape === 'fund',
    parse(request) {
      const plan = planQuery(dataset, request);
      if (plan instanceof HttpError) return plan;
      const { transform } = plan;
      const quoteTable = planQuoteTable(dataset, plan);
      if (quoteTable instanceof HttpError) return quoteTable;
      const source = transform ? transformDataset(dataset, transform, plan.fields) : dataset;
      const includesTotal = request.includesTotal && !transform;
      return { ...plan, source, datasets: [name], includesTotal, quoteTable };
    },
    cost({ selection, transform, format, includesTotal, quoteTable }, page) {
      if (quoteTable) return estimateTableCost(quoteTable, { selection, format, page });
      if (transform) return estimateTransformCost(dataset, transform, { selection, format, page });
      const isCounted = includesTotal && readsCounted(selection);
      if (page) {
        const counted = isCounted ? (page.total ?? 0) : 0;
        return computeRequestCost({ records: page.count, format, counted });
      }
      const records = 'limit' in selection ? selection.limit : USUAL_RECORDS;
      const cost = computeRequestCost({ records, format, counted: isCounted ? MAX_COUNTED : 0 });
      return searchesRecords(selection) ? Math.max(cost, LIST_COST) : cost;
    },
    read: (query, context) => readRecords(dataset, query, context),
  };
  return dataset.paths.map((path) => ({ ...route, path }));
}

/** What a request adds to a table of quotes; undefined where it has the records alone. */
function planQuoteTable(dataset: Dataset, plan: QueryPlan): QuoteTable | undefined | HttpError {
  if (dataset.shape !== 'quotes') return undefined;
  const { filters, fields, format } = plan;
  const { order, compare } = filters as Pick<QuoteTable, 'order' | 'compare'>;
  const parameter = order ? 'order' : compare ? 'compare' : undefined;
  if (parameter && !FLAT_FORMATS.includes(format))
    return new HttpError('table_of_json', { parameter, allowed: FLAT_FORMATS.join(', ') });
  const isComputed =
    parameter !== undefined || fields?.some((name) => Object.hasOwn(TABLE_FIGURES, name));
  return isComputed ? { fields, order, compare } : undefined;
}

/** The records are read twice where they are compared; each spread may need the curve of its day. */
function estimateTableCost(table: QuoteTable, { selection, format, page }: ComputedSize): number {
  const { limit = 0 } = 'limit' in selection ? selection : {};
  const records = page?.count ?? limit;
  const spreads = needsSpreads(table) ? Math.ceil(records / SPREADS_PER_REQUEST) : 0;
  return Math.max(CURVE_COST, spreads) + computeRequestCost({ records: 2 * records, format });
}

const SPREADS_PER_REQUEST = 4;

/** Each record is computed from those of its period, and of the one that it is compared with. */
function estimateTransformCost(
  dataset: Dataset,
  { frequency, units }: DatasetTransform,
  { selection, format, page }: ComputedSize,
): number {
  const { limit = 0 } = 'limit' in selection ? selection : {};
  const records = page?.count ?? limit;
  const { kind } = getPeriod(dataset);
  const ratio = kind.periodsPerYear / getResultKind(dataset, { frequency }).periodsPerYear;
  const read = Math.ceil(records * ratio * (getBase(units) ? 2 : 1));
  const cost = computeRequestCost({ records: read, format: 'ndjson' });
  const minCost = page ? 1 : MIN_COMPUTED_COST;
  return Math.max(minCost, cost - 1 + computeRequestCost({ records, format }));
}

type ComputedSize = Pick<DatasetQuery, 'selection' | 'format'> & {
  readonly page: EncodedPage | undefined;
};

/** Records of a series or a fund, roughly. */
const USUAL_RECORDS = 100;
/** Counting observations, or the records of a security, reads them; other counts are known. */
const MAX_COUNTED = 100_000;

function readsCounted(selection: Pick<Selection, 'kind'>): boolean {
  const { kind } = selection;
  return kind === 'observations' || 'security' in selection || 'securities' in selection;
}

/** Whether dimension values are looked for in all records, since they are not those of a few series. */
function searchesRecords(selection: QueryPlan['selection']): boolean {
  const { dimensions = [] } = selection.kind === 'observations' ? selection : {};
  const series = dimensions.reduce((count, values) => count * (values?.length ?? Infinity), 1);
  return dimensions.some(Boolean) && series > MAX_SEARCHED_SERIES;
}
