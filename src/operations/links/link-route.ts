import { openSource } from '../../follow/token-follower.ts';
import {
  authenticateLink,
  authenticateSignedLink,
} from '../../http/authentication/authenticate.ts';
import { HttpError } from '../../http/http-error.ts';
import { DESCRIBED_BY_LINK } from '../../http/pipeline/create-response.ts';
import type { CustomRoute } from '../../http/pipeline/route.ts';
import { isSignedLink } from '../../http/request/link-codec.ts';
import { parseQuery, type RequestTarget } from '../../http/request/parse-query.ts';
import {
  createJsonHeaders,
  errorResponse,
  FORBIDDEN_RESPONSE,
  type HttpResponse,
  NOT_FOUND_RESPONSE,
} from '../../http/responses/response.ts';
import type { ResponseCache } from '../../http/responses/response-cache.ts';
import { system } from '../../shared/system.ts';
import type { LinkPrincipal } from '../../tokens/principal.ts';
import { LINK_PATH_PREFIX, linkOperation, signLinkOperation } from './link-operation.ts';

/** Gives the target of a link to a client that has its secret, whatever else that asks for. */
export function createLinkRoute(): CustomRoute {
  return {
    path: linkOperation.path,
    parameters: {},
    authenticate(context, exchange) {
      const secret = getSecret(exchange);
      return isSignedLink(secret)
        ? authenticateSignedLink(exchange, secret, exchange.database.links, context)
        : authenticateLink(exchange, secret, context);
    },
    async respond(exchange, respondToTarget) {
      const { method, headers, principal, database } = exchange;
      const { target } = principal as LinkPrincipal;
      const response = await respondToTarget(target, {
        method: method === 'HEAD' ? method : 'GET',
        headers: selectHeaders(headers),
      });
      const shared = toLinkResponse(response, database.responseCache);
      return isSignedLink(getSecret(exchange)) ? withoutStorage(shared) : shared;
    },
  };
}

/** Signs addresses for tokens that may share; those of the source are signed there, for all its followers. */
export function createSignLinkRoute(source = ''): CustomRoute {
  const { path, parameters } = signLinkOperation;
  return {
    path,
    async respond({ target, headers, principal, database }, respondToTarget) {
      const values = parseQuery(target.parameters, parameters);
      if (values instanceof HttpError) return errorResponse(values);
      const { target: shared, expires } = values as { target?: string; expires?: number };
      if (shared === undefined || expires === undefined)
        return errorResponse(createMissingError(shared === undefined ? 'target' : 'expires'));
      if (!principal.mayShare) return FORBIDDEN_RESPONSE;
      // What is wrong with the target is told now, and to its owner.
      const response = await respondToTarget(shared, { method: 'HEAD' });
      if (response.status >= 400) return response;
      const expiresAtMs = Math.min(system.now() + expires, principal.expiresAtMs);
      const address =
        LINK_PATH_PREFIX +
        database.links.encode({ tokenId: principal.id, expiresAtMs, target: shared });
      const own = { address, expires: new Date(expiresAtMs).toISOString() };
      const data = principal.isOfSource ? await signAtSource(source, target, headers) : own;
      if (!data) return errorResponse(SOURCE_UNREACHABLE_ERROR);
      const body = new Blob([JSON.stringify({ status: 'ok', data })]);
      return { status: 200, body, headers: createJsonHeaders('no-store'), revision: null };
    },
  };
}

/** Undefined if the source signs nothing now. */
function signAtSource(source: string, target: RequestTarget, headers: Headers) {
  const [, token] = (headers.get('Authorization') ?? '').split(/ +/);
  return openSource(source, token)(target.toString()).catch(() => undefined);
}

const RETRY_AFTER = { 'Retry-After': '5' };
const SOURCE_UNREACHABLE_ERROR = new HttpError('temporarily_unavailable', {}, RETRY_AFTER);

function createMissingError(name: keyof typeof signLinkOperation.parameters): HttpError {
  const { requirement } = signLinkOperation.parameters[name];
  return new HttpError('missing_parameter', { parameter: name, allowed: requirement });
}

function getSecret({ target }: { readonly target: RequestTarget }): string {
  return target.path.slice(LINK_PATH_PREFIX.length);
}

/** Nobody keeps what a token shares beyond its end. */
function withoutStorage(response: HttpResponse): HttpResponse {
  const headers = new Headers(response.headers);
  headers.set('Cache-Control', 'no-store');
  const { variants: _, ...others } = response;
  return { ...others, headers };
}

/** The headers that say whether and which bytes to send, not of what. */
const OBEYED_HEADERS = [
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'Range',
  'If-Range',
];

function selectHeaders(headers: Headers): Headers {
  const selected = new Headers();
  for (const name of OBEYED_HEADERS) {
    const value = headers.get(name);
    if (value !== null) selected.set(name, value);
  }
  return selected;
}

const linkResponses = new WeakMap<HttpResponse, HttpResponse>();

/** The response without what only a request for the target itself could use; once for each. */
function toLinkResponse(source: HttpResponse, responseCache: ResponseCache): HttpResponse {
  const existing = linkResponses.get(source);
  if (existing) return existing;
  // The request had no parameters: what is wrong is the target, of which no error tells.
  if (source.status === 400) return NOT_FOUND_RESPONSE;
  const headers = new Headers(source.headers);
  if (headers.get('Vary')?.includes('Accept-Encoding')) headers.set('Vary', 'Accept-Encoding');
  else headers.delete('Vary');
  const links = selectLinks(headers.get('Link') ?? '');
  if (links === '') headers.delete('Link');
  else headers.set('Link', links);
  const { variants: _, ...others } = source;
  const response = { ...others, headers };
  responseCache.attach(response, source);
  linkResponses.set(source, response);
  return response;
}

/** Neither the target nor a cursor: that there are more pages is said of the link itself. */
function selectLinks(links: string): string {
  const isCut = links.includes('; rel="next"');
  const isDescribed = links.includes(DESCRIBED_BY_LINK);
  return [isCut && '<>; rel="first"', isDescribed && DESCRIBED_BY_LINK].filter(Boolean).join(', ');
}
