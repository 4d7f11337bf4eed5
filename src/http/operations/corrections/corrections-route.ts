import type { Dataset } from '../../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../../catalogue/model/parameter.ts';
import { DEFAULT_LIMIT } from '../../../catalogue/model/response-parameters.ts';
import {
  correctionParametersFor,
  correctionsOperation,
} from '../../../catalogue/operations/corrections.ts';
import type { CorrectionFilter } from '../../../store/open-store.ts';
import { changesOf } from '../../../tabular/encode-records.ts';
import { HttpError } from '../../http-error.ts';
import { computeRequestCost } from '../../pages/request-cost.ts';
import type { PageQuery, PageRoute } from '../../pipeline/route.ts';
import { type PageRequest, parsePageRequest } from '../../request/data-query.ts';
import { splitSymbols } from '../../request/plan-query.ts';
import { matchPath } from '../../request/request-target.ts';

interface CorrectionsQuery extends PageQuery {
  readonly filter: CorrectionFilter;
}

/** The operation that lists corrected and retired records. */
export function createCorrectionsRoute(catalogue: readonly Dataset[]): PageRoute<CorrectionsQuery> {
  const operation = correctionsOperation(catalogue);
  const findDataset = (path: string) => matchPath(operation, path)?.dataset as Dataset;
  return {
    path: operation.path,
    operation,
    findScope: (path) => findDataset(path).scope,
    parse(request) {
      const dataset = findDataset(request.path);
      const page = parsePageRequest(request, correctionParametersFor(dataset));
      if (page instanceof HttpError) return page;
      const filter = toCorrectionFilter(dataset, page);
      if (filter instanceof HttpError) return filter;
      const source = changesOf(dataset, 'corrections');
      return { ...page, source, datasets: [dataset.name], filter };
    },
    // A correction has two records.
    cost: ({ filter, format }, page) =>
      computeRequestCost({ records: 2 * (page?.count ?? filter.limit), format }),
    read: ({ filter }, { readPage }) => readPage({ corrections: filter }),
  };
}

type CorrectionParameters = ParameterValues<ReturnType<typeof correctionsOperation>['parameters']>;

function toCorrectionFilter({ shape }: Dataset, { filters, position }: PageRequest) {
  const { symbol, fund_id, limit = DEFAULT_LIMIT, ...others }: CorrectionParameters = filters;
  const { from, to } = others;
  if (from !== undefined && to !== undefined && from > to) return new HttpError('reversed_range');
  const [revision, ...key] = position ?? [];
  const symbols = symbol === undefined ? undefined : splitSymbols(symbol);
  const funds = fund_id === undefined ? undefined : [fund_id];
  const securities = shape === 'quotes' ? symbols : undefined;
  const identifiers = shape === 'reference' ? (symbols ?? funds) : funds;
  return {
    ...others,
    ...(securities && { securities }),
    ...(identifiers && { identifiers }),
    ...(position && { after: { revision: Number(revision), key } }),
    limit,
  };
}
