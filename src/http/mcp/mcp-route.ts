import type { Dataset } from '../../catalogue/model/dataset.ts';
import { isHttpError } from '../http-error.ts';
import { parseQuery } from '../request/parse-query.ts';
import type { RespondToTarget } from '../respond-to-target.ts';
import { errorResponse } from '../responses/response.ts';
import type { PostRoute } from '../route.ts';
import { isAllowedOrigin } from './allowed-origin.ts';
import { createMcpHandler, type HandleMessage } from './mcp-handler.ts';
import { readMessage } from './read-message.ts';
import { type RpcError, rpcErrorResponse } from './rpc-error.ts';

/** The Model Context Protocol: tools for language models, which read what HTTP serves. */
export function createMcpRoute(
  catalogue: readonly Dataset[],
  respondToTarget: RespondToTarget,
): PostRoute {
  let handler: Promise<HandleMessage> | undefined;
  return {
    path: '/mcp',
    takesPost: true,
    async respond(context, client, { query }, request) {
      const parameters = parseQuery(query, {});
      if (isHttpError(parameters)) return errorResponse(parameters);
      if (!isAllowedOrigin(request.headers.get('origin'), context.mcpOrigins))
        return rpcErrorResponse(WRONG_ORIGIN);
      const { message, error } = await readMessage(request);
      if (error) return rpcErrorResponse(error);
      // Loading the SDK takes a quarter of a second and 30 MB, which most servers never need.
      handler ??= createMcpHandler(catalogue, respondToTarget);
      return (await handler)(context, client, { request, message });
    },
  };
}

const WRONG_ORIGIN: RpcError = {
  status: 403,
  code: -32000,
  message: 'header "Origin" must be that of a local page, or one of the setting MCP_ORIGINS',
  isUnread: true,
};
