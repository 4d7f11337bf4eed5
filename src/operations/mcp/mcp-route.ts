import type {
  CallToolRequest,
  specTypeSchemas,
  Tool as ToolDescription,
} from '@modelcontextprotocol/server';
import type { Catalogue } from '../../catalogue/catalogues.ts';
import { formatTarget } from '../../catalogue/model/format-target.ts';
import type { Exchange } from '../../http/pipeline/exchange.ts';
import { resolveView } from '../../http/pipeline/resolve-view.ts';
import type { CustomRoute, RespondToTarget } from '../../http/pipeline/route.ts';
import { getOrigin } from '../../http/request/request-headers.ts';
import { createBaseHeaders } from '../../http/responses/cors.ts';
import type { HttpResponse } from '../../http/responses/response.ts';
import { memoizeByIdentity, onceAsync } from '../../shared/memoize.ts';
import { isWebOrigin } from '../../shared/web-origin.ts';
import { VERSION } from '../../version.ts';
import { callTool, type ToolCall } from './call-tool.ts';
import type { Sdk } from './load-sdk.ts';
import { type RpcError, readMessage, rpcErrorResponse } from './read-message.ts';
import { describeTool } from './tool.ts';
import { createTools } from './tools/create-tools.ts';

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

type SpecTypeSchemas = typeof specTypeSchemas;

/** Responds to a message, which was the body of the request. */
export type HandleMessage = (
  exchange: Exchange,
  respondToTarget: RespondToTarget,
  message: object,
) => Promise<HttpResponse>;

/** A server is created for each message. */
export function createMcpHandler(sdk: Sdk): HandleMessage {
  const createServer = (call: ToolCall, message: object) => {
    const server = new sdk.Server(SERVER_INFO, SERVER_OPTIONS);
    const { catalogues } = call.exchange.database;
    server.setRequestHandler('tools/list', () => ({
      tools: getTools(catalogues.current).descriptions,
    }));
    server.setRequestHandler('tools/call', async ({ params: { name } }) => {
      const values = getArguments(message);
      const { toolsByName } = getTools(await findRequestedCatalogue(call, values));
      const tool = toolsByName.get(name);
      if (tool) return callTool(tool, values, call);
      const text = `unknown tool "${name.slice(0, 60)}"; there are ${[...toolsByName.keys()].join(', ')}`;
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, text);
    });
    return server;
  };
  return async (exchange, respondToTarget, message) => {
    const { request } = exchange;
    if (!hasValidParameters(message, sdk.specTypeSchemas))
      return rpcErrorResponse(INVALID, message);
    const origin = getOrigin(request);
    const call: ToolCall = { exchange, respondToTarget, origin, revision: null };
    const handler = sdk.createMcpHandler(() => createServer(call, message));
    const response = await handler.fetch(request, { parsedBody: message });
    // The response to a client of an earlier version begins before the tool is called.
    const body = response.body && (await response.text());
    if (call.failure !== undefined) throw call.failure;
    return toHttpResponse(response, body, call.revision);
  };
}

/** Tools and their schemas are created once for a catalogue. */
const getTools = memoizeByIdentity(({ datasets }: Catalogue) => {
  const tools = createTools(datasets);
  return {
    toolsByName: new Map(tools.map((tool) => [tool.name, tool])),
    // The SDK's type of a schema is that of any JSON value.
    descriptions: tools.map(describeTool) as unknown as ToolDescription[],
  };
});

/** The catalogue of the revision that a call is as of. */
async function findRequestedCatalogue(
  call: ToolCall,
  { as_of, cursor }: Readonly<Record<string, unknown>>,
): Promise<Catalogue> {
  // What is no text or number is an invalid argument, as the tool says.
  const toText = (value: unknown) =>
    ['string', 'number'].includes(typeof value) ? String(value).toWellFormed() : undefined;
  const target = formatTarget('/', { as_of: toText(as_of), cursor: toText(cursor) });
  try {
    return (await resolveView(call.exchange.database, call.exchange.forTarget(target))).catalogue;
  } catch (cause) {
    call.failure = cause;
    throw cause;
  }
}

/** Parameters that the SDK cannot parse would be an internal error to it. */
function hasValidParameters(message: object, schemas: SpecTypeSchemas): boolean {
  const { method } = message as { readonly method?: unknown };
  const requestType = REQUEST_TYPES.get(method);
  if (!requestType) return true;
  const result = schemas[requestType]['~standard'].validate(message);
  return !(result instanceof Promise) && result.issues === undefined;
}

const REQUEST_TYPES = new Map<unknown, keyof SpecTypeSchemas>([
  ['initialize', 'InitializeRequest'],
  ['tools/list', 'ListToolsRequest'],
  ['tools/call', 'CallToolRequest'],
]);

const INVALID = { status: 200, code: -32602, message: 'the parameters of the method are invalid' };

/** As they were sent: the SDK leaves out `__proto__`, which is an unknown argument like any other. */
function getArguments(message: object): Readonly<Record<string, unknown>> {
  return (message as CallToolRequest).params.arguments ?? {};
}

const SERVER_INFO = { name: 'tenor', title: 'Tenor', version: VERSION };

const SERVER_OPTIONS = {
  capabilities: { tools: {} },
  instructions:
    'Quotes of bills and bonds, yield curves, fund allocations and payment statistics. Start with describe_datasets. Every tool takes as_of, for the data as it was known at a revision, a day or an instant. Every result names its revision, units, and an address for the same response; if truncated is true, next has the arguments of the call that continues it.',
  // Tools name datasets, and one may be declared at any time.
  cacheHints: { 'tools/list': { ttlMs: 0, cacheScope: 'public' as const } },
};

/** Results are small, so that even those that are sent as events are complete before they are sent. */
function toHttpResponse(
  { status, headers: responseHeaders }: Response,
  body: string | null,
  revision: number | null,
): HttpResponse {
  const headers = createBaseHeaders();
  headers.set('Cache-Control', 'no-store');
  const contentType = responseHeaders.get('content-type');
  if (contentType !== null) headers.set('Content-Type', contentType);
  return { status, body, headers, revision };
}
