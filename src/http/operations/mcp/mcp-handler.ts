import type { CallToolRequest, Tool as ToolDescription } from '@modelcontextprotocol/server';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { VERSION } from '../../../version.ts';
import type { Client } from '../../background/schedule-job.ts';
import type { DataContext } from '../../pipeline/request-context.ts';
import type { RespondToTarget } from '../../pipeline/respond-to-target.ts';
import { getOrigin } from '../../request/get-origin.ts';
import { createBaseHeaders } from '../../responses/cors.ts';
import type { HttpResponse } from '../../responses/response.ts';
import { callTool, type ToolCall } from './call-tool.ts';
import { describeTool } from './tool-schemas.ts';
import { createTools } from './tools/create-tools.ts';

/** Responds to a message, which was the body of the request. */
export type HandleMessage = (
  data: DataContext,
  client: Client,
  received: { readonly request: Request; readonly message: object },
) => Promise<HttpResponse>;

/** Loads the SDK; tools and their schemas are created once. */
export async function createMcpHandler(
  catalogue: readonly Dataset[],
  respondToTarget: RespondToTarget,
): Promise<HandleMessage> {
  const sdk = await import('@modelcontextprotocol/server');
  const tools = createTools(catalogue);
  const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
  // The SDK's type of a schema is that of any JSON value.
  const descriptions = tools.map(describeTool) as unknown as ToolDescription[];
  const received = new WeakMap<Request, { call: ToolCall; message: object }>();
  const handler = sdk.createMcpHandler(({ requestInfo }) => {
    const server = new sdk.Server(SERVER_INFO, SERVER_OPTIONS);
    server.setRequestHandler('tools/list', () => ({ tools: descriptions }));
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = toolsByName.get(params.name);
      const source = requestInfo && received.get(requestInfo);
      if (tool && source) return callTool(tool, getArguments(source.message), source.call);
      const message = `unknown tool "${params.name.slice(0, 60)}"; there are ${[...toolsByName.keys()].join(', ')}`;
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
    });
    return server;
  });
  return async (data, client, { request, message }) => {
    const origin = getOrigin(request);
    const call: ToolCall = { data, client, respondToTarget, origin, revision: null };
    received.set(request, { call, message });
    const response = await handler.fetch(request, { parsedBody: message });
    // The response to a client of an earlier version begins before the tool is called.
    const body = response.body && (await response.text());
    if (call.failure !== undefined) throw call.failure;
    return toHttpResponse(response, body && reportInvalidParameters(body), call.revision);
  };
}

/** As they were sent: the SDK leaves out `__proto__`, which is an unknown argument like any other. */
function getArguments(message: object): Readonly<Record<string, unknown>> {
  return (message as CallToolRequest).params.arguments ?? {};
}

const SERVER_INFO = { name: 'tenor', title: 'Tenor', version: VERSION };

const SERVER_OPTIONS = {
  capabilities: { tools: {} },
  instructions:
    'Quotes of bills and bonds, yield curves, fund allocations and payment statistics. Start with describe_datasets. Every tool takes as_of, for the data as it was known at a revision, a day or an instant. Every result names its revision, units, and an address for the same response; where truncated is true, next has the arguments of the call that continues it.',
  // Tools change only with the program.
  cacheHints: { 'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' as const } },
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

/** What tools fail with is thrown: the SDK's own internal errors are of parameters it cannot parse. */
function reportInvalidParameters(body: string): string {
  return body.replace('"error":{"code":-32603,', '"error":{"code":-32602,');
}
