import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import type { Client } from '../background/schedule-job.ts';
import { isHttpError } from '../http-error.ts';
import { parseDataQuery } from '../request/data-query.ts';
import { getOrCreateResponse } from '../responses/cached-response.ts';
import { errorResponse, type HttpResponse } from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';
import type { ServerContext } from '../server-context.ts';

/**
 * The route of an operation that takes no parameters but those of every response. The key that
 * `plan` gives differs between its responses.
 */
export function createOperationRoute(
  operation: Operation,
  plan: (
    context: ServerContext,
    client: Client,
  ) => { key: string; createResponse: (asOf?: number) => Awaitable<HttpResponse> },
): OperationRoute {
  const { path, parameters } = operation;
  return {
    path,
    operation,
    respond(context, client, { query }, { headers }) {
      const values = parseDataQuery(query, parameters);
      if (isHttpError(values)) return errorResponse(values);
      const { key, createResponse } = plan(context, client);
      // No target has a space, so the key is no target of another request.
      const instant = headers.get(ACCEPT_DATETIME);
      const request = { target: path, key: `${path} ${key}`, instant, asOf: values.asOf };
      return getOrCreateResponse(context, request, createResponse);
    },
  };
}
