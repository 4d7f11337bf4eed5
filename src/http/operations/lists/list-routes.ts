import { fundAllocation } from '../../../catalogue/datasets/fund-allocation.ts';
import { funds } from '../../../catalogue/datasets/funds.ts';
import { quotes } from '../../../catalogue/datasets/quotes.ts';
import { securities } from '../../../catalogue/datasets/securities.ts';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import type { Operation } from '../../../catalogue/model/operation.ts';
import { fundsOperation, securitiesOperation } from '../../../catalogue/operations/discovery.ts';
import { HttpError } from '../../http-error.ts';
import { computeRequestCost, LIST_COST } from '../../pages/request-cost.ts';
import type { DataRoute, OperationRequest, PageQuery, PageRoute } from '../../pipeline/route.ts';
import { type PageRequest, parsePageRequest } from '../../request/data-query.ts';

/** The operations that list securities and funds. */
export function createListRoutes(): DataRoute[] {
  return [
    createListRoute(securitiesOperation, 'securities', [quotes, securities]),
    createListRoute(fundsOperation, 'funds', [fundAllocation, funds]),
  ];
}

type ListQuery = PageRequest & PageQuery & Pick<OperationRequest, 'includeTotal'>;

/** A list that is computed from a dataset and its reference data, in every format. */
function createListRoute(
  operation: Operation,
  list: 'securities' | 'funds',
  sources: readonly Dataset[],
): PageRoute<ListQuery> {
  const { path, scope, parameters } = operation;
  const datasets = sources.map(({ name }) => name);
  return {
    path,
    operation,
    scope,
    parse({ includeTotal, ...request }) {
      const page = parsePageRequest(request, parameters);
      if (page instanceof HttpError) return page;
      return { ...page, source: operation, datasets, includesDataset: true, includeTotal };
    },
    cost: ({ format }, page) =>
      page ? computeRequestCost({ records: page.count, format }) : LIST_COST,
    async read({ filters, position, includeTotal }, { readPage }) {
      const filter = { ...filters, ...(position && { after: String(position[0]) }) };
      const { total, ...page } = await readPage({ list, filter });
      return { ...page, ...(includeTotal && total !== undefined && { total }) };
    },
  };
}
