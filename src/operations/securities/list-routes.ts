import { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import { funds } from '../../catalogue/datasets/funds.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import { securities } from '../../catalogue/datasets/securities.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { HttpError } from '../../http/http-error.ts';
import type {
  DataRoute,
  OperationRequest,
  PageQuery,
  PageRoute,
} from '../../http/pipeline/route.ts';
import { type PageRequest, parsePageRequest } from '../../http/request/data-query.ts';
import { computeRequestCost, LIST_COST } from '../../http/request/request-cost.ts';
import { toPageRecords } from '../../http/responses/encode-page.ts';
import { fundsOperation, securitiesOperation } from '../catalogue/discovery.ts';
import { type ListFilter, selectListPage } from './select-list-page.ts';

/** The operations that list securities and funds. */
export function createListRoutes(): DataRoute[] {
  return [
    createListRoute({
      operation: securitiesOperation,
      list: 'securities',
      sources: [quotes, securities],
    }),
    createListRoute({
      operation: fundsOperation,
      list: 'funds',
      sources: [fundAllocation, funds],
    }),
  ];
}

type ListQuery = PageRequest & PageQuery & Pick<OperationRequest, 'includesTotal'>;

interface ListRouteOptions {
  readonly operation: Operation;
  readonly list: 'securities' | 'funds';
  readonly sources: readonly [Dataset, Dataset];
}

/** A list that is computed from a dataset and its reference data, in every format. */
function createListRoute({ operation, list, sources }: ListRouteOptions): PageRoute<ListQuery> {
  const { path, scope, parameters } = operation;
  const datasets = sources.map(({ name }) => name);
  return {
    path,
    operation,
    scope,
    parse({ includesTotal, ...request }) {
      const page = parsePageRequest(request, parameters);
      if (page instanceof HttpError) return page;
      return { ...page, source: operation, datasets, includesDataset: true, includesTotal };
    },
    cost: ({ format }, page) =>
      page ? computeRequestCost({ records: page.count, format }) : LIST_COST,
    async read(query, { view: { catalogue, revision }, reader }) {
      const { filters, position } = query;
      const { entries } = await reader[list](catalogue.get(sources[0].name), revision);
      const filter: ListFilter = { ...filters, ...(position && { after: String(position[0]) }) };
      const { entries: selected, total, ...page } = selectListPage(entries, filter);
      const texts = selected.map((entry) => JSON.stringify(entry));
      const records = toPageRecords(query, { revision, texts, ...page });
      return { ...records, source: operation, total };
    },
  };
}
