import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import {
  DEFAULT_LEDGER_LIMIT,
  revisionOperation,
  revisionsOperation,
} from '../../catalogue/operations/revisions.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import type { ChangePosition, RecordChange } from '../../store/open-store.ts';
import type { Principal } from '../../tokens/token-registry.ts';
import { computeRequestCost } from '../background/request-cost.ts';
import { toRevisionJson } from '../events/revision-event.ts';
import { isHttpError } from '../http-error.ts';
import type { CursorValues } from '../request/cursor-codec.ts';
import { matchPath } from '../request/request-target.ts';
import { getOrCreateResponse } from '../responses/cached-response.ts';
import {
  errorResponse,
  FORBIDDEN_RESPONSE,
  NOT_FOUND_RESPONSE,
  operationResponse,
} from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';
import { createPageLinks, parsePageRequest } from './page-request.ts';

/** The operations of the ledger. A token reads the revisions of the datasets in its scopes. */
export function createRevisionRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  return [createRevisionListRoute(catalogue), createRevisionRoute(catalogue)];
}

function createRevisionListRoute(catalogue: readonly Dataset[]): OperationRoute {
  const operation = revisionsOperation(catalogue);
  type Values = ParameterValues<typeof operation.parameters>;
  return {
    path: operation.path,
    operation,
    respond(context, client, target) {
      const { reader, cursors } = context;
      const page = parsePageRequest(target, operation.parameters, cursors);
      if (isHttpError(page)) return errorResponse(page);
      const { dataset, before = Infinity, limit = DEFAULT_LEDGER_LIMIT }: Values = page.filters;
      const readable = getReadableDatasets(catalogue, client.principal);
      if (dataset !== undefined && !readable.includes(dataset)) return FORBIDDEN_RESPONSE;
      const datasets = dataset === undefined ? readable : [dataset];
      const key = `${page.target} ${datasets.join()}`;
      return getOrCreateResponse(context, { target: page.target, key, instant: null }, async () => {
        const newest = await reader.revision();
        const [asOf = newest, last = Infinity] = (page.position ?? []) as [number?, number?];
        const revision = Math.min(asOf, newest);
        // Revisions that are published while this is read are left out.
        const filter = { datasets, before: Math.min(before, last, revision + 1), limit: limit + 1 };
        const found = await reader.revisions(filter);
        const revisions = found.slice(0, limit);
        const lastRevision = revisions.at(-1)?.revision;
        const links =
          found.length > limit && lastRevision !== undefined
            ? createPageLinks(page, [revision, lastRevision], cursors)
            : undefined;
        return operationResponse(JSON.stringify(revisions.map(toRevisionJson)), revision, links);
      });
    },
  };
}

function createRevisionRoute(catalogue: readonly Dataset[]): OperationRoute {
  const operation = revisionOperation(catalogue);
  type Values = ParameterValues<typeof operation.parameters>;
  return {
    path: operation.path,
    operation,
    respond(context, client, target) {
      const { reader, cursors } = context;
      const page = parsePageRequest(target, operation.parameters, cursors);
      if (isHttpError(page)) return errorResponse(page);
      const { limit = DEFAULT_LEDGER_LIMIT }: Values = page.filters;
      const number = Number(matchPath(operation, target.path)?.n);
      const readable = getReadableDatasets(catalogue, client.principal);
      const key = `${page.target} ${readable.join()}`;
      return getOrCreateResponse(context, { target: page.target, key, instant: null }, async () => {
        const newest = await reader.revision();
        const entry = number <= newest ? await reader.ledgerEntry(number) : undefined;
        if (!entry) return NOT_FOUND_RESPONSE;
        const dataset = catalogue.find(({ name }) => name === entry.dataset);
        if (!dataset || !readable.includes(dataset.name)) return FORBIDDEN_RESPONSE;
        const after = page.position && toChangePosition(page.position);
        // A change has two records.
        const cost = computeRequestCost({ records: 2 * limit, format: 'json' });
        const job = { dataset: dataset.name, revision: number, limit: limit + 1, after };
        const found = await context.scheduleJob(client, cost, (jobs) => jobs.readChanges(job));
        client.charge(computeRequestCost({ records: 2 * found.length, format: 'json' }) - 1);
        const changes = found.slice(0, limit);
        const revision = Math.min(page.position?.[0] ?? newest, newest);
        const last = found.length > limit ? changes.at(-1) : undefined;
        const links =
          last && createPageLinks(page, toCursorValues(revision, dataset, last), cursors);
        const { report, options } = entry;
        const json = JSON.stringify({ ...toRevisionJson(entry), report, options });
        const data = `${json.slice(0, -1)},"changes":[${changes.map(serializeChange).join()}]}`;
        return operationResponse(data, revision, links);
      });
    },
  };
}

function toChangePosition([, isAddition, ...key]: CursorValues): ChangePosition {
  return { isAddition: isAddition === 1, key };
}

function toCursorValues(
  revision: number,
  dataset: Dataset,
  { change, old, new: replacement }: RecordChange,
): CursorValues {
  const record = JSON.parse(old ?? replacement ?? '') as AnyRecord;
  const key = getKeyValues(getStorageTable(dataset), record);
  return [revision, change === 'added' ? 1 : 0, ...key];
}

function getReadableDatasets(catalogue: readonly Dataset[], { scopes }: Principal): string[] {
  return catalogue.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);
}

/** Records are stored as JSON. */
function serializeChange({ change, old, new: replacement }: RecordChange): string {
  return `{"change":"${change}","old":${old},"new":${replacement}}`;
}
