import type { AnyRecord, Dataset } from '../../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../../catalogue/model/parameter.ts';
import { DEFAULT_LIMIT } from '../../../catalogue/model/response-parameters.ts';
import {
  correctionParametersFor,
  correctionsOperation,
} from '../../../catalogue/operations/corrections.ts';
import { getKeyValues, getStorageTable } from '../../../schema/storage-table.ts';
import type { Correction, CorrectionFilter } from '../../../store/open-store.ts';
import { HttpError } from '../../http-error.ts';
import { computeRequestCost } from '../../pages/request-cost.ts';
import type { DataRoute, JsonResult, OperationQuery } from '../../pipeline/route.ts';
import { type PageRequest, parsePageRequest } from '../../request/data-query.ts';
import { splitSymbols } from '../../request/plan-query.ts';
import { matchPath } from '../../request/request-target.ts';

interface CorrectionsQuery extends OperationQuery {
  readonly dataset: Dataset;
  readonly filter: CorrectionFilter;
}

/** The operation that lists corrected and retired records. */
export function createCorrectionsRoute(
  catalogue: readonly Dataset[],
): DataRoute<CorrectionsQuery, JsonResult & { readonly count: number }> {
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
      return filter instanceof HttpError
        ? filter
        : { ...page, dataset, datasets: [dataset.name], filter };
    },
    // A correction has two records.
    cost: ({ filter }, result) =>
      computeRequestCost({ records: 2 * (result?.count ?? filter.limit), format: 'json' }),
    async read({ dataset, filter }, { asOf, jobs }) {
      const { limit } = filter;
      // One record more than requested shows whether there is another page.
      const page = { ...filter, limit: limit + 1 };
      const { revision, entries } = await jobs.readCorrections(dataset.name, page, asOf);
      const corrections = entries.slice(0, limit);
      const last = entries.length > limit ? corrections.at(-1) : undefined;
      const key = last && getKeyValues(getStorageTable(dataset), JSON.parse(last.old) as AnyRecord);
      const next = key && ([revision, last.revision, ...key] as const);
      const data = `[${corrections.map(serializeCorrection).join()}]`;
      return { revision, data, next, count: corrections.length };
    },
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

/** Records are stored as JSON. */
function serializeCorrection(correction: Correction): string {
  const { revision, publishedAt, change, old, new: replacement } = correction;
  return `{"revision":${revision},"publishedAt":"${publishedAt}","change":"${change}","old":${old},"new":${replacement}}`;
}
