import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { vintagesOperation } from '../../../catalogue/operations/vintages.ts';
import { changesOf } from '../../../tabular/encode-records.ts';
import { HttpError } from '../../http-error.ts';
import { computeRequestCost } from '../../pages/request-cost.ts';
import type { PageQuery, PageRoute } from '../../pipeline/route.ts';
import { planVintages, type VintagesPlan } from '../../request/plan-query.ts';
import { matchPath } from '../../request/request-target.ts';

/** More than work that is done at once: which states are passed over is not known before. */
const MIN_COST = 4;

/** The operation that lists every published state of records. */
export function createVintagesRoute(
  catalogue: readonly Dataset[],
): PageRoute<VintagesPlan & PageQuery> {
  const operation = vintagesOperation(catalogue);
  const findDataset = (path: string) => matchPath(operation, path)?.dataset as Dataset;
  return {
    path: operation.path,
    operation,
    findScope: (path) => findDataset(path).scope,
    parse(request) {
      const dataset = findDataset(request.path);
      const plan = planVintages(dataset, request);
      if (plan instanceof HttpError) return plan;
      return { ...plan, source: changesOf(dataset, 'vintages'), datasets: [dataset.name] };
    },
    cost({ vintages: { selection }, format }, page) {
      if (page) return computeRequestCost({ records: page.count, format });
      return Math.max(MIN_COST, computeRequestCost({ records: selection.limit, format }));
    },
    read: ({ vintages }, { readPage }) => readPage({ vintages }),
  };
}
