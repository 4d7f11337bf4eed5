import { catalogue as shippedDatasets } from '../catalogue/index.ts';
import { formatErrorMessage } from '../catalogue/model/api-errors.ts';
import { OBSERVATIONS_PATH } from '../catalogue/model/observations.ts';
import { findRequiredScopes } from '../http/pipeline/respond.ts';
import type { RouteTable, TokenRoute } from '../http/pipeline/route.ts';
import { RequestTarget } from '../http/request/parse-query.ts';
import { createInProcessServer, type InProcessServer } from '../http/server/in-process-server.ts';
import type { Store } from '../store/open-store.ts';
import { EVERY_SCOPE } from '../tokens/scopes.ts';
import { UsageError } from './command.ts';
import { formatSuggestion } from './format-suggestion.ts';
import { closeAfter } from './with-store.ts';

const MAX_TARGET_CHARACTERS = 2_000;
const TARGET_PATTERN = /^\/(?!.*#)[!-~]*$/;

/**
 * Checks a target by requesting it; returns its scopes, and notes about the response for the creator of the
 * link. Throws if it is not a target with data, or has an invalid parameter.
 */
export async function checkLinkTarget(store: Store, target: string) {
  if (!TARGET_PATTERN.test(target) || target.length > MAX_TARGET_CHARACTERS)
    throw new UsageError(
      `TARGET must be the path and query of a request, percent-encoded and at most ${MAX_TARGET_CHARACTERS} characters long, such as '/2.0/bnb/quote?type=tbill&format=csv'`,
    );
  const server = await createInProcessServer(store, shippedDatasets);
  return closeAfter(server, () => checkPath(server, target));
}

async function checkPath(server: InProcessServer, target: string) {
  const sent = new RequestTarget(target);
  const { path, query } = sent;
  const route = findDataRoute(await server.findDataRoutes(target), path);
  const parameters = new URLSearchParams(query);
  if (parameters.has('cursor'))
    throw new UsageError('TARGET cannot have a cursor: a link serves the first page of its target');
  const { isCut, problem } = await requestTarget(server, target);
  const required = findRequiredScopes(route, sent);
  // Some responses contain all datasets.
  const scopes = required.length > 0 ? required : EVERY_SCOPE;
  if (problem !== undefined) return { scopes, notes: [`the target currently gives ${problem}`] };
  return { scopes, notes: describeLimit(route, parameters, isCut) };
}

function findDataRoute(table: RouteTable<TokenRoute>, path: string): TokenRoute {
  const route = table.find(path);
  if (route && route.path !== OBSERVATIONS_PATH) return route;
  const paths = table.routes
    .map((candidate) => candidate.path)
    .filter((text) => !text.includes('{'));
  throw new UsageError(
    `there is no data at "${path}"${formatSuggestion(path, paths)}; a link serves a dataset, a list, an export or publications`,
  );
}

/** The error of a response without data, or whether a response with data leaves out records. */
async function requestTarget(
  server: InProcessServer,
  target: string,
): Promise<{ readonly isCut: boolean; readonly problem?: string }> {
  const response = await server.get(target);
  const isCut = response.headers.get('link')?.includes('rel="next"') ?? false;
  if (!response.headers.get('content-type')?.startsWith('application/json')) {
    await response.body?.cancel();
    return { isCut };
  }
  // Documents without the envelope have no status.
  const { status, message = '' } = (await response.json()) as Record<string, string | undefined>;
  if (status !== 'error') return { isCut };
  if (message !== NO_RECORD_FOUND) throw new UsageError(`TARGET is invalid: ${message}`);
  return { isCut, problem: message };
}

/** The fund may be loaded later. */
const NO_RECORD_FOUND = formatErrorMessage('no_record_found');

function describeLimit(route: TokenRoute, parameters: URLSearchParams, isCut: boolean) {
  const definition = 'dataset' in route ? route.dataset : route.operation;
  const { limit } = definition?.parameters ?? {};
  const { default: defaultLimit, maximum } = limit?.schema ?? {};
  if (!parameters.has('limit') && defaultLimit !== undefined)
    return [
      `the target has no limit, so the link serves at most ${defaultLimit} records${isCut ? ', and more match' : ''}; the maximum is limit=${maximum}, and /exports/ has all`,
    ];
  return isCut
    ? [`more records match than limit=${parameters.get('limit')} allows the link to serve`]
    : [];
}
