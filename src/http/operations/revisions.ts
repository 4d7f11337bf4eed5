import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import {
  DEFAULT_LEDGER_LIMIT,
  REVISION_SCHEMAS,
  revisionOperation,
  revisionsOperation,
} from '../../catalogue/operations/revisions.ts';
import type { RecordChange, Revision } from '../../store/open-store.ts';
import type { Principal } from '../../tokens/token-registry.ts';
import { isHttpError } from '../http-error.ts';
import { parseQuery } from '../request/parse-query.ts';
import { matchPath } from '../request/request-target.ts';
import { getOrCreateResponse } from '../responses/get-or-create-response.ts';
import { createPaginationLinks } from '../responses/links.ts';
import {
  errorResponse,
  FORBIDDEN_RESPONSE,
  NOT_FOUND_RESPONSE,
  operationResponse,
} from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';

/** The operations that tell what was published. A token sees the datasets that it opens. */
export function createRevisionRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  return [createRevisionListRoute(catalogue), createRevisionRoute(catalogue)];
}

function createRevisionListRoute(catalogue: readonly Dataset[]): OperationRoute {
  const operation = revisionsOperation(catalogue);
  type Values = ParameterValues<typeof operation.parameters>;
  return {
    path: operation.path,
    operation,
    respond(context, principal, { path, query }) {
      const values = parseQuery(query, operation.parameters);
      if (isHttpError(values)) return errorResponse(values);
      const {
        dataset,
        before = Number.POSITIVE_INFINITY,
        limit = DEFAULT_LEDGER_LIMIT,
      }: Values = values;
      const open = getReadableDatasets(catalogue, principal);
      if (dataset !== undefined && !open.includes(dataset)) return FORBIDDEN_RESPONSE;
      const datasets = dataset === undefined ? open : [dataset];
      return getOrCreateResponse(context, `/revisions?${query} ${datasets.join()}`, async () => {
        const newest = await context.reader.revision();
        // What is published while this is read is left to the next answer.
        const which = { datasets, before: Math.min(before, newest + 1), limit: limit + 1 };
        const found = await context.reader.revisions(which);
        const revisions = found.slice(0, limit);
        const last = found.length > limit ? revisions.at(-1) : undefined;
        const links = last && createPaginationLinks(`${path}?${query}`, { before: last.revision });
        return operationResponse(JSON.stringify(revisions.map(toRevisionJson)), newest, links);
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
    respond(context, principal, { path, query }) {
      const values = parseQuery(query, operation.parameters);
      if (isHttpError(values)) return errorResponse(values);
      const { limit = DEFAULT_LEDGER_LIMIT }: Values = values;
      const n = Number(matchPath(operation, path)?.n);
      const open = getReadableDatasets(catalogue, principal);
      return getOrCreateResponse(context, `/revisions/${n} ${open.join()} ${limit}`, async () => {
        const newest = await context.reader.revision();
        const entry = n <= newest ? await context.reader.ledgerEntry(n) : undefined;
        if (!entry) return NOT_FOUND_RESPONSE;
        const dataset = catalogue.find(({ name }) => name === entry.dataset);
        if (!dataset || !open.includes(dataset.name)) return FORBIDDEN_RESPONSE;
        const changes = await context.reader.changes(dataset, n, limit);
        const about = JSON.stringify({ ...toRevisionJson(entry), report: entry.report }).slice(
          0,
          -1,
        );
        return operationResponse(
          `${about},"changes":[${changes.map(serializeChange).join()}]}`,
          newest,
        );
      });
    },
  };
}

function getReadableDatasets(catalogue: readonly Dataset[], { scopes }: Principal): string[] {
  return catalogue.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);
}

const REVISION_FIELDS = Object.keys(REVISION_SCHEMAS) as (keyof typeof REVISION_SCHEMAS)[];

/** A revision with its fields in the order of answers. */
function toRevisionJson(revision: Revision): object {
  const files = revision.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  return Object.fromEntries(REVISION_FIELDS.map((f) => [f, f === 'files' ? files : revision[f]]));
}

/** Records are embedded as they are stored. */
function serializeChange({ change, old, new: replacement }: RecordChange): string {
  return `{"change":"${change}","old":${old},"new":${replacement}}`;
}
