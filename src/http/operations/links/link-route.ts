import { LINK_PATH_PREFIX, linkOperation } from '../../../catalogue/operations/links.ts';
import type { LinkPrincipal } from '../../../tokens/token-registry.ts';
import { authenticateLink } from '../../authentication/authenticate.ts';
import { HttpError } from '../../http-error.ts';
import type { RespondToTarget } from '../../pipeline/respond-to-target.ts';
import type { CustomRoute } from '../../pipeline/route.ts';
import { parseQuery } from '../../request/parse-query.ts';
import { parseRequestTarget } from '../../request/request-target.ts';
import { errorResponse } from '../../responses/response.ts';

/** Gives the target of a link to a client that has its secret, as a token would get it. */
export function createLinkRoute(respondToTarget: RespondToTarget): CustomRoute {
  return {
    path: linkOperation.path,
    authenticate(context, client, { url }) {
      const secret = parseRequestTarget(url).path.slice(LINK_PATH_PREFIX.length);
      return authenticateLink(client, secret, context);
    },
    respond(data, client, { query }, { method, headers }) {
      const parameters = parseQuery(query, {});
      if (parameters instanceof HttpError) return errorResponse(parameters);
      const { target } = client.principal as LinkPrincipal;
      return respondToTarget(data, client, target, {
        method: method === 'HEAD' ? 'HEAD' : 'GET',
        headers,
      });
    },
  };
}
