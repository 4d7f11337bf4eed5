import { LINK_PATH_PREFIX, linkOperation } from '../../../catalogue/operations/links.ts';
import type { LinkPrincipal } from '../../../tokens/token-registry.ts';
import { authenticateLink } from '../../authentication/authenticate.ts';
import type { RespondToTarget } from '../../pipeline/respond-to-target.ts';
import type { CustomRoute } from '../../pipeline/route.ts';
import { parseRequestTarget } from '../../request/request-target.ts';

/** Gives the target of a link to a client that has its secret, as a token would get it. */
export function createLinkRoute(respondToTarget: RespondToTarget): CustomRoute {
  return {
    path: linkOperation.path,
    parameters: {},
    authenticate(context, client, { url }) {
      const secret = parseRequestTarget(url).path.slice(LINK_PATH_PREFIX.length);
      return authenticateLink(client, secret, context);
    },
    respond(data, client, _, { method, headers }) {
      const { target } = client.principal as LinkPrincipal;
      const options = { method: method === 'HEAD' ? method : 'GET', headers } as const;
      return respondToTarget(data, client, target, options);
    },
  };
}
