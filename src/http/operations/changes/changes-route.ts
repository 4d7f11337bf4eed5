import type { Dataset } from '../../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../../catalogue/model/parameter.ts';
import { DEFAULT_LIMIT } from '../../../catalogue/model/response-parameters.ts';
import { changesOperation, withFieldsOf } from '../../../catalogue/operations/changes.ts';
import { changesOf } from '../../../tabular/encode-records.ts';
import { HttpError } from '../../http-error.ts';
import { computeRequestCost } from '../../pages/request-cost.ts';
import type { PageQuery, PageRoute } from '../../pipeline/route.ts';
import { type PageRequest, parsePageRequest } from '../../request/data-query.ts';
import { matchPath } from '../../request/request-target.ts';

interface ChangesQuery extends PageQuery, Pick<PageRequest, 'position'> {
  readonly since: number;
  readonly until: number | undefined;
  readonly limit: number;
}

/** More than work that is done at once: how many records are compared is not known before. */
const MIN_COST = 4;

/** The operation that lists what changed between two revisions. */
export function createChangesRoute(catalogue: readonly Dataset[]): PageRoute<ChangesQuery> {
  const operation = changesOperation(catalogue);
  const findDataset = (path: string) => matchPath(operation, path)?.dataset as Dataset;
  return {
    path: operation.path,
    operation,
    findScope: (path) => findDataset(path).scope,
    parse(request) {
      const dataset = findDataset(request.path);
      const page = parsePageRequest(request, withFieldsOf(dataset, operation.parameters));
      if (page instanceof HttpError) return page;
      const { filters, ...query } = page;
      const values: ParameterValues<typeof operation.parameters> = filters;
      const { since, until, limit = DEFAULT_LIMIT } = values;
      if (since === undefined) return MISSING_SINCE_ERROR;
      if (until !== undefined && until < since) return REVERSED_ERROR;
      return {
        ...query,
        ...{ datasets: [dataset.name], since, until, limit },
        source: changesOf(dataset, 'changes'),
        // Another process or machine may have sent it already.
        ...(!query.position && { namedRevision: Math.max(since, until ?? 0) }),
      };
    },
    cost({ limit, format }, page) {
      if (page) return computeRequestCost({ records: page.count, format });
      return Math.max(MIN_COST, computeRequestCost({ records: limit, format }));
    },
    async read(query, { asOf, readPage, reader }) {
      const { since, limit, position } = query;
      const until = await resolveUntil(query, asOf ?? (await reader.revision()));
      if (until instanceof HttpError) return until;
      return readPage({ changes: { since, until, limit, position }, asOf: undefined });
    },
  };
}

/** The last revision of a request; the first page names it for all pages. */
function resolveUntil({ since, until, position }: ChangesQuery, newest: number) {
  if (position) return newest;
  const createError = (parameter: string) =>
    new HttpError('bad_value', {
      parameter,
      allowed: `a revision that there is, from 0 to ${newest}`,
    });
  if (since > newest) return createError('since');
  if (until !== undefined && until > newest) return createError('until');
  return until ?? newest;
}

const MISSING_SINCE_ERROR = new HttpError('missing_parameter', {
  parameter: 'since',
  allowed: 'the revision that the copy has, or 0 for none',
});
const REVERSED_ERROR = new HttpError('reversed_revisions');
