import type { Awaitable } from '../../shared/awaitable.ts';
import type { ConnectionControl } from '../pipeline/exchange.ts';
import { handleRequest } from '../pipeline/handle-request.ts';
import type { RequestContext } from '../pipeline/request-context.ts';
import type { Route } from '../pipeline/route.ts';

/**
 * Responds from the database that is there now: another process that serves it too may have noticed
 * before this one that it was replaced, and clients are not to see first that one, then this.
 */
export function handleCurrent(
  getContext: () => RequestContext,
  request: Request,
  route: Route | undefined,
  server: ConnectionControl,
): Awaitable<Response> {
  const context = getContext();
  const { followDatabase, data } = context;
  if (!followDatabase || !data.newestRevision.isOtherDatabaseShared())
    return handleRequest(context, request, route, server);
  return followDatabase().then(() => handleRequest(getContext(), request, route, server));
}
