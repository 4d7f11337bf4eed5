// Sends a message to /mcp while no file can be opened, and once more when files can be opened again.
import { closeSync, openSync } from 'node:fs';
import { Catalogues, NONE_DECLARED } from '../../src/catalogue/catalogues.ts';
import { NOT_FOUND_RESPONSE } from '../../src/http/responses/response.ts';
import { loadSdk } from '../../src/operations/mcp/load-sdk.ts';
import { createMcpRoute } from '../../src/operations/mcp/mcp-route.ts';
import { createMcpRequest, LIST_TOOLS } from './mcp-request.ts';
import { createTestExchange } from './request-context.ts';

const CATALOGUES = new Catalogues([], { declarations: () => NONE_DECLARED });
const route = createMcpRoute(new Set(), loadSdk);

async function post(): Promise<string> {
  const exchange = createTestExchange({ catalogues: CATALOGUES }, createMcpRequest(LIST_TOOLS));
  const response = await route.respond(exchange, async () => NOT_FOUND_RESPONSE);
  return `${response.status} ${response.body}`;
}

const files: number[] = [];
try {
  for (;;) files.push(openSync('/dev/null', 'r'));
} catch {
  // No more can be opened.
}
const first = await post().catch((cause: Error) => `failed: ${cause.message}`);
for (const file of files) closeSync(file);
const second = await post();
console.log(`${first.replaceAll('\n', ' ')}\n${second.replaceAll('\n', ' ')}`);
