import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import {
  correctionParametersFor,
  correctionsOperation,
} from '../../catalogue/operations/corrections.ts';
import { DEFAULT_LEDGER_LIMIT } from '../../catalogue/operations/revisions.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import type { Correction, CorrectionFilter } from '../../store/open-store.ts';
import type { Jobs } from '../background/jobs.ts';
import { computeRequestCost } from '../background/request-cost.ts';
import type { Client } from '../background/schedule-job.ts';
import { createHttpError, type HttpError, isHttpError } from '../http-error.ts';
import type { CursorCodec } from '../request/cursor-codec.ts';
import { splitSymbols } from '../request/plan-query.ts';
import { matchPath } from '../request/request-target.ts';
import { CURSOR_TOO_NEW_RESPONSE, getOrCreateResponse } from '../responses/cached-response.ts';
import {
  errorResponse,
  FORBIDDEN_RESPONSE,
  type HttpResponse,
  operationResponse,
} from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';
import { createPageLinks, type PageRequest, parsePageRequest } from './page-request.ts';

/** The operation that lists corrected and retired records. */
export function createCorrectionRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  const operation = correctionsOperation(catalogue);
  return [
    {
      path: operation.path,
      operation,
      respond(context, client, target, { headers }) {
        const dataset = matchPath(operation, target.path)?.dataset as Dataset;
        if (!client.principal.scopes.has(dataset.scope)) return FORBIDDEN_RESPONSE;
        const page = parsePageRequest(target, correctionParametersFor(dataset), context.cursors);
        if (isHttpError(page)) return errorResponse(page);
        const filter = toCorrectionFilter(dataset, page);
        if (isHttpError(filter)) return errorResponse(filter);
        const instant = headers.get(ACCEPT_DATETIME);
        const { target: key, asOf: requested } = page;
        const cacheable = { target: key, key, instant, asOf: requested };
        return getOrCreateResponse(context, cacheable, (asOf) =>
          context.scheduleJob(client, estimateCost(filter), (jobs) =>
            readCorrections(context.cursors, { dataset, page, filter, asOf, client, jobs }),
          ),
        );
      },
    },
  ];
}

type CorrectionParameters = ParameterValues<ReturnType<typeof correctionsOperation>['parameters']>;

function toCorrectionFilter(
  { shape }: Dataset,
  { filters, position }: PageRequest,
): CorrectionFilter | HttpError {
  const {
    symbol,
    fund_id,
    limit = DEFAULT_LEDGER_LIMIT,
    ...others
  }: CorrectionParameters = filters;
  const { from, to } = others;
  if (from !== undefined && to !== undefined && from > to) return createHttpError('reversed_range');
  const [, revision, ...key] = position ?? [];
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

/** A correction has two records. */
function estimateCost({ limit }: CorrectionFilter): number {
  return computeRequestCost({ records: 2 * limit, format: 'json' });
}

interface CorrectionsRequest {
  readonly dataset: Dataset;
  readonly page: PageRequest;
  readonly filter: CorrectionFilter;
  readonly asOf: number | undefined;
  readonly client: Client;
  readonly jobs: Jobs;
}

async function readCorrections(
  cursors: CursorCodec,
  { dataset, page, filter, asOf, client, jobs }: CorrectionsRequest,
): Promise<HttpResponse> {
  const { limit } = filter;
  // The revision of the first page holds for all of them.
  const pinned = page.position?.[0] ?? asOf;
  if (asOf !== undefined && pinned !== undefined && asOf < pinned) return CURSOR_TOO_NEW_RESPONSE;
  // One record more than requested shows whether there is another page.
  const lookahead = { ...filter, limit: limit + 1 };
  const job = { dataset: dataset.name, filter: lookahead, asOf: pinned };
  const { revision, entries } = await jobs.readCorrections(job);
  const corrections = entries.slice(0, limit);
  client.charge(estimateCost({ limit: corrections.length }) - 1);
  const last = entries.length > limit ? corrections.at(-1) : undefined;
  const key = last && getKeyValues(getStorageTable(dataset), JSON.parse(last.old) as AnyRecord);
  const links = key && createPageLinks(page, [revision, last.revision, ...key], cursors);
  const data = `[${corrections.map(serializeCorrection).join()}]`;
  const response = operationResponse(data, revision, links);
  response.headers.append('Vary', ACCEPT_DATETIME);
  return response;
}

/** Records are stored as JSON. */
function serializeCorrection(correction: Correction): string {
  const { revision, publishedAt, change, old, new: replacement } = correction;
  return `{"revision":${revision},"publishedAt":"${publishedAt}","change":"${change}","old":${old},"new":${replacement}}`;
}
