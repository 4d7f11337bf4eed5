import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { whenReady } from '../../../shared/awaitable.ts';
import type { Selection } from '../../../store/open-store.ts';
import { HttpError } from '../../http-error.ts';
import { computeRequestCost } from '../../pages/request-cost.ts';
import type { DataRoute, OperationRequest, PageQuery, PageResult } from '../../pipeline/route.ts';
import { findNextQuotes, planQuery, type QueryPlan } from '../../request/plan-query.ts';

type DatasetQuery = QueryPlan & PageQuery & Pick<OperationRequest, 'target' | 'includeTotal'>;

/** The routes of a dataset: the records that a request selects. */
export function createDatasetRoutes(dataset: Dataset): DataRoute<DatasetQuery, PageResult>[] {
  const { name, scope } = dataset;
  const route: Omit<DataRoute<DatasetQuery, PageResult>, 'path'> = {
    dataset,
    scope,
    parse({ query, target, includeTotal, ...request }) {
      const plan = planQuery(dataset, query, request);
      if (plan instanceof HttpError) return plan;
      const { asOf: pinnedRevision, kind } = plan.selection;
      // A missing fund comes before what a request is as of, too.
      const defersErrors = kind === 'fund';
      const page = { source: dataset, datasets: [name], target, includeTotal };
      return { ...plan, ...page, pinnedRevision, defersErrors };
    },
    cost({ selection, format, includeTotal }, page) {
      const isCounted = includeTotal && readsCounted(selection);
      if (page) {
        const counted = isCounted ? (page.total ?? 0) : 0;
        return computeRequestCost({ records: page.count, format, counted });
      }
      const records = 'limit' in selection ? selection.limit : USUAL_RECORDS;
      return computeRequestCost({ records, format, counted: isCounted ? MAX_COUNTED : 0 });
    },
    read(query, { asOf, deferredError, jobs, client }) {
      const { datasets, format, fields, target, includeTotal } = query;
      const { errorIfFound = deferredError } = query;
      const { dataset: _, ...selection } = query.selection;
      const selected = { ...selection, ...(asOf !== undefined && { asOf }) };
      const table = { datasets, format, fields, target, asOf };
      const job = { ...table, selection: selected, includeTotal };
      return whenReady(jobs.readPage(job, client), (page) =>
        errorIfFound && page.count > 0
          ? errorIfFound
          : { ...page, next: findNextQuotes(query.selection, page) },
      );
    },
  };
  return dataset.paths.map((path) => ({ ...route, path }));
}

/** Records of a series or a fund, roughly. */
const USUAL_RECORDS = 100;
/** Counting the records of a security reads them; other counts are known. */
const MAX_COUNTED = 100_000;

function readsCounted(selection: Pick<Selection, 'kind'>): boolean {
  return 'security' in selection || 'securities' in selection;
}
