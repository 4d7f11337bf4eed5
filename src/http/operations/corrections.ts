import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import {
  correctionParametersFor,
  correctionsOperation,
} from '../../catalogue/operations/corrections.ts';
import { DEFAULT_LEDGER_LIMIT } from '../../catalogue/operations/revisions.ts';
import type { Correction, CorrectionFilter, RevisionedList } from '../../store/open-store.ts';
import type { HttpError } from '../http-error.ts';
import { createHttpError, isHttpError } from '../http-error.ts';
import { parseQuery } from '../request/parse-query.ts';
import { matchPath } from '../request/request-target.ts';
import { respondAsOf } from '../responses/as-of-response.ts';
import { getOrCreateResponse } from '../responses/get-or-create-response.ts';
import { createPaginationLinks } from '../responses/links.ts';
import type { HttpResponse } from '../responses/response.ts';
import { errorResponse, FORBIDDEN_RESPONSE, operationResponse } from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';

/** The operation that tells what stood before. */
export function createCorrectionRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  const operation = correctionsOperation(catalogue);
  const route: OperationRoute = {
    path: operation.path,
    operation,
    respond(context, principal, { path, query }, { headers }) {
      const dataset = matchPath(operation, path)?.dataset as Dataset;
      if (!principal.scopes.has(dataset.scope)) return FORBIDDEN_RESPONSE;
      const which = parseCorrectionFilter(dataset, query);
      if (isHttpError(which)) return errorResponse(which);
      const target = `${path}?${query}`;
      const make = async (asOf?: number) => {
        // One more than is wanted tells whether there is more.
        const wanted = { ...which, limit: which.limit + 1 };
        return createCorrectionsResponse(
          target,
          which,
          await context.reader.corrections(dataset, wanted, asOf),
        );
      };
      const instant = headers.get(ACCEPT_DATETIME);
      if (instant === null) return getOrCreateResponse(context, target, make);
      const asked = { target: query === '' ? path : target, key: target };
      return respondAsOf(context, asked, instant, make);
    },
  };
  return [route];
}

type CorrectionParameters = ParameterValues<ReturnType<typeof correctionsOperation>['parameters']>;

function parseCorrectionFilter(dataset: Dataset, query: string): CorrectionFilter | HttpError {
  const values = parseQuery(query, correctionParametersFor(dataset));
  if (isHttpError(values)) return values;
  const {
    symbol,
    fund_id,
    skip,
    limit = DEFAULT_LEDGER_LIMIT,
    ...rest
  }: CorrectionParameters = values;
  const { from, to } = rest;
  if (from !== undefined && to !== undefined && from > to) return createHttpError('reversed_range');
  return {
    ...rest,
    ...(symbol !== undefined && { security: symbol }),
    ...(fund_id !== undefined && { fund: fund_id }),
    ...(skip !== undefined && { offset: skip }),
    limit,
  };
}

function createCorrectionsResponse(
  target: string,
  which: CorrectionFilter,
  { revision, entries }: RevisionedList<Correction>,
): HttpResponse {
  const sent = entries.slice(0, which.limit);
  const links =
    entries.length > sent.length
      ? createPaginationLinks(target, getNextPageParameters(sent, which, revision))
      : undefined;
  const response = operationResponse(`[${sent.map(serializeCorrection).join()}]`, revision, links);
  response.headers.append('Vary', ACCEPT_DATETIME);
  return response;
}

/**
 * Where to go on behind corrections that were sent: within the last one's revision, behind those
 * of it that were sent. What revisions did never changes, so none is lost or told twice.
 */
function getNextPageParameters(
  sent: readonly Correction[],
  { before = Number.POSITIVE_INFINITY, offset = 0 }: CorrectionFilter,
  newest: number,
): { before: number; skip: number } {
  const last = sent.at(-1)?.revision ?? 0;
  const first = sent.findIndex(({ revision }) => revision === last);
  if (first > 0 || offset === 0) return { before: last + 1, skip: sent.length - first };
  // Those that were left out may be of the same revision.
  return { before: Math.min(before, newest + 1), skip: offset + sent.length };
}

/** Records are embedded as they are stored. */
function serializeCorrection({
  revision,
  publishedAt,
  change,
  old,
  new: replacement,
}: Correction): string {
  return `{"revision":${revision},"publishedAt":"${publishedAt}","change":"${change}","old":${old},"new":${replacement}}`;
}
