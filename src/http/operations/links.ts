import { LINK_PATH_PREFIX, linkOperation } from '../../catalogue/operations/links.ts';
import type { LinkPrincipal } from '../../tokens/token-registry.ts';
import { isHttpError } from '../http-error.ts';
import { authenticateLink } from '../request/authenticate.ts';
import { parseQuery } from '../request/parse-query.ts';
import { parseRequestTarget } from '../request/request-target.ts';
import type { RespondToTarget } from '../respond-to-target.ts';
import { errorResponse } from '../responses/response.ts';
import type { LinkRoute } from '../route.ts';

/** Gives the target of a link to whoever has its secret, as a token would get it. */
export function createLinkRoute(respondToTarget: RespondToTarget): LinkRoute {
  return {
    path: linkOperation.path,
    authenticate(context, client, { url }) {
      const secret = parseRequestTarget(url).path.slice(LINK_PATH_PREFIX.length);
      return authenticateLink(client, secret, context);
    },
    respond(context, client, { query }, { method, headers }) {
      const parameters = parseQuery(query, {});
      if (isHttpError(parameters)) return errorResponse(parameters);
      const { target } = client.principal as LinkPrincipal;
      return respondToTarget(context, client, target, {
        method: method === 'HEAD' ? 'HEAD' : 'GET',
        headers,
      });
    },
  };
}
