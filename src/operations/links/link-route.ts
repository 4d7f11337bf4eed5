import { authenticateLink } from '../../http/authentication/authenticate.ts';
import type { CustomRoute } from '../../http/pipeline/route.ts';
import { DESCRIBED_BY_LINK } from '../../http/request/request-target.ts';
import { type HttpResponse, NOT_FOUND_RESPONSE } from '../../http/responses/response.ts';
import type { ResponseCache } from '../../http/responses/response-cache.ts';
import type { LinkPrincipal } from '../../tokens/principal.ts';
import { LINK_PATH_PREFIX, linkOperation } from './link-operation.ts';

/** Gives the target of a link to a client that has its secret, whatever else that asks for. */
export function createLinkRoute(): CustomRoute {
  return {
    path: linkOperation.path,
    parameters: {},
    authenticate(context, exchange) {
      const secret = exchange.target.path.slice(LINK_PATH_PREFIX.length);
      return authenticateLink(exchange, secret, context);
    },
    async respond({ method, headers, principal, database }, respondToTarget) {
      const { target } = principal as LinkPrincipal;
      const response = await respondToTarget(target, {
        method: method === 'HEAD' ? method : 'GET',
        headers: selectHeaders(headers),
      });
      return toLinkResponse(response, database.responseCache);
    },
  };
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
