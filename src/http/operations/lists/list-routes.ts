import { fundAllocation } from '../../../catalogue/datasets/fund-allocation.ts';
import { funds } from '../../../catalogue/datasets/funds.ts';
import { quotes } from '../../../catalogue/datasets/quotes.ts';
import { securities } from '../../../catalogue/datasets/securities.ts';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import type { Operation } from '../../../catalogue/model/operation.ts';
import { fundsOperation, securitiesOperation } from '../../../catalogue/operations/discovery.ts';
import { HttpError } from '../../http-error.ts';
import { computeRequestCost, LIST_COST } from '../../pages/request-cost.ts';
import type { DataRoute, OperationRequest, PageQuery, PageResult } from '../../pipeline/route.ts';
import { type PageRequest, parsePageRequest, withFormat } from '../../request/data-query.ts';

/** The operations that list securities and funds. */
export function createListRoutes(): DataRoute[] {
  return [
    createListRoute(securitiesOperation, 'securities', [quotes, securities]),
    createListRoute(fundsOperation, 'funds', [fundAllocation, funds]),
  ];
}

type ListQuery = PageRequest & PageQuery & Pick<OperationRequest, 'target' | 'includeTotal'>;

/** A list that is computed from a dataset and its reference data, in every format. */
function createListRoute(
  operation: Operation,
  list: 'securities' | 'funds',
  sources: readonly Dataset[],
): DataRoute<ListQuery, PageResult> {
  const { path, scope, parameters } = operation;
  const datasets = sources.map(({ name }) => name);
  return {
    path,
    operation,
    scope,
    parse({ target, includeTotal, ...request }) {
      const page = withFormat(parsePageRequest(request, parameters), request.acceptedFormat);
      if (page instanceof HttpError) return page;
      return { ...page, source: operation, datasets, includesDataset: true, target, includeTotal };
    },
    cost: ({ format }, page) =>
      page ? computeRequestCost({ records: page.count, format }) : LIST_COST,
    async read({ filters, position, format, fields, target, includeTotal }, { asOf, ...options }) {
      const filter = { ...filters, ...(position && { after: String(position[0]) }) };
      const job = { datasets, format, fields, target, asOf, list, filter };
      const { total, ...page } = await options.jobs.readPage(job, options.client);
      return { ...page, ...(includeTotal && total !== undefined && { total }) };
    },
  };
}
