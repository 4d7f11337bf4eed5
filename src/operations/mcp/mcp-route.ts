import type { CustomRoute } from '../../http/pipeline/route.ts';
import { onceAsync } from '../../shared/memoize.ts';
import { isWebOrigin } from '../../shared/web-origin.ts';
import type { Sdk } from './load-sdk.ts';
import { createMcpHandler } from './mcp-handler.ts';
import { type RpcError, readMessage, rpcErrorResponse } from './read-message.ts';

/** The Model Context Protocol: tools for language models, which read what HTTP serves. */
export function createMcpRoute(
  origins: ReadonlySet<string>,
  loadSdk: () => Promise<Sdk>,
): CustomRoute {
  // Loading the SDK takes a quarter of a second and 30 MB, which most servers never need.
  const getHandler = onceAsync(async () => createMcpHandler(await loadSdk()));
  return {
    path: '/mcp',
    takesPost: true,
    parameters: {},
    async respond(exchange, respondToTarget) {
      const { request } = exchange;
      if (!isAllowedOrigin(request.headers.get('origin'), origins))
        return rpcErrorResponse(WRONG_ORIGIN);
      const { message, error } = await readMessage(request);
      if (error) return rpcErrorResponse(error);
      const handle = await getHandler();
      return handle(exchange, respondToTarget, message);
    },
  };
}

const WRONG_ORIGIN: RpcError = {
  status: 403,
  code: -32000,
  message: 'header "Origin" must be that of a local page, or one of the setting MCP_ORIGINS',
  isUnread: true,
};

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a page of that origin may send messages. A page whose name was made to resolve to this
 * server has its own origin, whatever the Host; programs send none.
 */
function isAllowedOrigin(origin: string | null, allowed: ReadonlySet<string>): boolean {
  if (origin === null || allowed.has(origin)) return true;
  return isWebOrigin(origin) && LOCAL_HOSTS.has(new URL(origin).hostname);
}
