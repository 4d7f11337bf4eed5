import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { changesOperation, changesParametersFor } from '../../catalogue/operations/changes.ts';
import { DEFAULT_LEDGER_LIMIT } from '../../catalogue/operations/revisions.ts';
import type { ChangesPosition } from '../background/read-changes.ts';
import { computeRequestCost } from '../background/request-cost.ts';
import type { Client } from '../background/schedule-job.ts';
import { createHttpError, type HttpError, isHttpError } from '../http-error.ts';
import { negotiateFormat } from '../request/content-negotiation.ts';
import type { CursorValues } from '../request/cursor-codec.ts';
import { withFormat } from '../request/data-query.ts';
import { matchPath } from '../request/request-target.ts';
import { CURSOR_TOO_NEW_RESPONSE, getOrCreateResponse } from '../responses/cached-response.ts';
import { createRecordsResponse } from '../responses/records-response.ts';
import { errorResponse, FORBIDDEN_RESPONSE, type HttpResponse } from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';
import { awaitRequiredRevision } from '../runtime/newest-revision.ts';
import type { ServerContext } from '../server-context.ts';
import { createPageLinks, type PageRequest, parsePageRequest } from './page-request.ts';

/** The operation that lists what changed between two revisions. */
export function createChangesRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  const operation = changesOperation(catalogue);
  return [
    {
      path: operation.path,
      operation,
      respond(context, client, target, { headers }) {
        const dataset = matchPath(operation, target.path)?.dataset as Dataset;
        if (!client.principal.scopes.has(dataset.scope)) return FORBIDDEN_RESPONSE;
        const parameters = changesParametersFor(operation, dataset);
        const page = withFormat(
          parsePageRequest(target, parameters, context.cursors),
          negotiateFormat(headers.get('accept')),
        );
        if (isHttpError(page)) return errorResponse(page);
        const { since, until }: ChangesParameters = page.filters;
        if (since === undefined) return errorResponse(MISSING_SINCE_ERROR);
        if (until !== undefined && until < since) return errorResponse(REVERSED_ERROR);
        const { asOf: requested, format } = page;
        // No target has a space, so the key is no target of another request.
        const key = `${page.target} ${format}`;
        const instant = headers.get(ACCEPT_DATETIME);
        const cacheable = { target: page.target, key, instant, asOf: requested };
        return getOrCreateResponse(context, cacheable, async (asOf) => {
          const range = await resolveRange(context, page, asOf);
          if (isHttpError(range)) return errorResponse(range);
          if (asOf !== undefined && asOf < range.until) return CURSOR_TOO_NEW_RESPONSE;
          return respondWithChanges(context, client, { dataset, page, range });
        });
      },
    },
  ];
}

type ChangesParameters = ParameterValues<ReturnType<typeof changesOperation>['parameters']>;

interface RevisionRange {
  readonly since: number;
  readonly until: number;
}

/** The revisions of a request. The first page names the last one for all pages. */
async function resolveRange(
  context: ServerContext,
  { filters, position }: PageRequest,
  asOf: number | undefined,
): Promise<RevisionRange | HttpError> {
  const { since = 0, until }: ChangesParameters = filters;
  if (position) return { since, until: position[0] };
  const requested = Math.max(since, until ?? 0);
  // Another process or machine may have sent it already.
  if (asOf === undefined && requested <= MAX_AWAITED_REVISION)
    await awaitRequiredRevision(context, String(requested));
  const newest = asOf ?? (await context.reader.revision());
  const createError = (parameter: string) =>
    createHttpError('bad_value', {
      parameter,
      allowed: `a revision that there is, from 0 to ${newest}`,
    });
  if (since > newest) return createError('since');
  if (until !== undefined && until > newest) return createError('until');
  return { since, until: until ?? newest };
}

/** Revision numbers are four bytes long. */
const MAX_AWAITED_REVISION = 2_147_483_647;

interface ChangesRequest {
  readonly dataset: Dataset;
  readonly page: PageRequest & { readonly format: ResponseFormatName };
  readonly range: RevisionRange;
}

/** More than work that is done at once: how many records are compared is not known before. */
const MIN_COST = 4;

async function respondWithChanges(
  { scheduleJob, findLastChange, cursors }: ServerContext,
  client: Client,
  { dataset, page, range }: ChangesRequest,
): Promise<HttpResponse> {
  const { limit = DEFAULT_LEDGER_LIMIT }: ChangesParameters = page.filters;
  const { format, fields } = page;
  const position = page.position && toChangesPosition(page.position);
  const job = {
    dataset: dataset.name,
    changes: { ...range, limit, position },
    format,
    fields,
    target: page.target,
  };
  const cost = Math.max(MIN_COST, computeRequestCost({ records: limit, format }));
  const created = await scheduleJob(client, cost, (jobs) => jobs.createPage(job, client));
  if (created.encodeMs) client.recordEncoding?.(created.encodeMs);
  client.charge(computeRequestCost({ records: created.count, format }) - 1);
  const { revision, nextChanges: next } = created;
  const links =
    next && createPageLinks(page, [revision, next.skip, ...(next.after ?? [])], cursors);
  const modified = await findLastChange(dataset.name, revision);
  const source = { name: `${dataset.name}-changes`, changesOf: dataset };
  return createRecordsResponse({ source, page: created, format, modified, links });
}

function toChangesPosition([, skip, ...after]: CursorValues): ChangesPosition {
  return { skip: Number(skip), ...(after.length > 0 && { after }) };
}

const MISSING_SINCE_ERROR = createHttpError('missing_parameter', {
  parameter: 'since',
  allowed: 'the revision that the copy has, or 0 for none',
});
const REVERSED_ERROR = createHttpError('reversed_revisions');
