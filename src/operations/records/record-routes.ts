import type { QuotesAsOf } from '../../analytics/price-quotes.ts';
import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import {
  findSuccessors,
  getPeriod,
  listServedForms,
  OBSERVATIONS_PATH,
} from '../../catalogue/model/observations.ts';
import {
  computeRequestCost,
  computeSearchCost,
  LIST_COST,
  MIN_COMPUTED_COST,
  type ResponseSize,
} from '../../http/background/job-scheduler.ts';
import { HttpError } from '../../http/http-error.ts';
import type {
  CustomRoute,
  OperationRequest,
  PageQuery,
  PageRoute,
  TokenRoute,
} from '../../http/pipeline/route.ts';
import { toPageRecords } from '../../http/responses/encode-page.ts';
import { NOT_FOUND_RESPONSE } from '../../http/responses/response.ts';
import { isInSummary, type ObservationSelection, type Selection } from '../../store/open-store.ts';
import {
  type DatasetTransform,
  getResultKind,
  transformDataset,
} from '../../transforms/transformed-dataset.ts';
import { getBase } from '../../transforms/units.ts';
import {
  findNextPosition,
  planQuery,
  planQuoteTable,
  type QueryPlan,
  type QuoteTable,
} from '../plan-query.ts';
import { countMatches, countSearched, searchesRecords } from '../searched-records.ts';
import { estimateTableCost, readQuoteTable } from './quote-table.ts';
import { readTransformed } from './read-transformed.ts';

type DatasetQuery = QueryPlan &
  PageQuery &
  Pick<OperationRequest, 'includesTotal'> & { readonly quoteTable?: QuoteTable | undefined };

/** The routes of the records of all datasets, by paths of their own and by name. */
export function createRecordRoutes({ datasets }: Catalogue): TokenRoute[] {
  const successors = findSuccessors(datasets);
  const routes = datasets.flatMap((dataset) => {
    const successor = successors.get(dataset.name);
    const served = listServedForms(dataset).flatMap(createDatasetRoutes);
    return served.map((route) => ({ ...route, successor }));
  });
  return [...routes, UNKNOWN_DATASET_ROUTE];
}

/** The route of all other names: those of some may be in the catalogue of another revision. */
const UNKNOWN_DATASET_ROUTE: CustomRoute = {
  path: OBSERVATIONS_PATH,
  respond: () => NOT_FOUND_RESPONSE,
};

/** The routes of a dataset in one form. */
export function createDatasetRoutes(dataset: Dataset): PageRoute<DatasetQuery>[] {
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
      const isBounded = (plan.selection.kind === 'observations' ||
        searchesRecords(plan.selection)) && { isBounded: true as const };
      return { ...plan, ...isBounded, source, datasets: [name], includesTotal, quoteTable };
    },
    cost({ selection, transform, format, includesTotal, quoteTable, available }, page) {
      const isSearch = searchesRecords(selection);
      const searchCost = computeSearchCost(page ? page.searched : isSearch ? available : 0);
      const limit = Math.min(
        'limit' in selection ? selection.limit : USUAL_RECORDS,
        available ?? Number.POSITIVE_INFINITY,
      );
      const records = page?.count ?? limit;
      if (quoteTable) return searchCost + estimateTableCost(quoteTable, { records, format });
      if (transform) {
        const cost = searchCost + estimateTransformCost(dataset, transform, { records, format });
        return page ? cost : Math.max(MIN_COMPUTED_COST, cost);
      }
      const isCounted = includesTotal && readsCounted(selection);
      const counted = isCounted ? (page ? (page.total ?? 0) : MAX_COUNTED) : 0;
      const cost = searchCost + computeRequestCost({ records, format, counted });
      return !page && isSearch ? Math.max(cost, LIST_COST) : cost;
    },
    async read(query, context) {
      const { selection: planned, transform, fields, quoteTable, format, includesTotal } = query;
      const { view, reader, client } = context;
      const asOf = view.revision;
      const selection = { ...planned, dataset: view.catalogue.get(name), asOf } as Selection;
      if (transform) {
        const selected = { ...(selection as ObservationSelection), ...transform, fields, asOf };
        const result = await readTransformed(reader, selected, client.signal);
        // Its range is one of periods of the result.
        const { from: _, to: __, ...all } = selection as ObservationSelection;
        return { ...toPageRecords(query, result), ...(await countSearched(reader, all)) };
      }
      const found = await reader.read({ ...selection, asNdjson: format !== 'json' });
      const result = includesTotal
        ? { ...found, total: await countMatches(reader, selection) }
        : found;
      const page = quoteTable
        ? await readQuoteTable(quoteTable, selection as QuotesAsOf, result, context)
        : result;
      const searched = await countSearched(reader, selection);
      return { ...page, ...searched, nextPosition: findNextPosition(planned, page) };
    },
  };
  return dataset.paths.map((path) => ({ ...route, path }));
}

/** Each record is computed from those of its period, and of the one that it is compared with. */
function estimateTransformCost(
  dataset: Dataset,
  { frequency, units }: DatasetTransform,
  { records, format }: Omit<ResponseSize, 'counted'>,
): number {
  const { kind } = getPeriod(dataset);
  const ratio = kind.periodsPerYear / getResultKind(dataset, { frequency }).periodsPerYear;
  const read = Math.ceil(records * ratio * (getBase(units) ? 2 : 1));
  const cost = computeRequestCost({ records: read, format: 'ndjson' });
  return cost - 1 + computeRequestCost({ records, format });
}

/** Records of a series or a fund, roughly. */
const USUAL_RECORDS = 100;
/** Counting observations, or quotes by what their summary does not have, reads them; other counts are known. */
const MAX_COUNTED = 100_000;

function readsCounted(selection: QueryPlan['selection']): boolean {
  const { kind } = selection;
  return kind === 'observations' || (kind === 'quotes' && !isInSummary(selection));
}
