import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { TOKEN } from './test-server.ts';

/** The version of the protocol without sessions, and the last one before it. */
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25'] as const;

/** A connected client of the official SDK. */
export async function connectMcpClient(
  address: string,
  version: (typeof PROTOCOL_VERSIONS)[number],
  token = TOKEN,
): Promise<Client> {
  const mode = version === PROTOCOL_VERSIONS[0] ? { pin: version } : 'legacy';
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit }),
  );
  return client;
}

/** Sends a body to /mcp; a header set to '' is left out. */
export function postMessage(
  address: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const sent = {
    Authorization: `Bearer ${TOKEN}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...headers,
  };
  return fetch(`${address}/mcp`, {
    method: 'POST',
    headers: Object.entries(sent).filter(([, value]) => value !== ''),
    body: typeof body === 'string' || body instanceof ReadableStream ? body : JSON.stringify(body),
  });
}

/** A message of the protocol without sessions, and the headers that go with it. */
export function createMessage(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const [version] = PROTOCOL_VERSIONS;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    headers: {
      'MCP-Protocol-Version': version,
      'Mcp-Method': method,
      ...(typeof params.name === 'string' && { 'Mcp-Name': params.name }),
    },
  };
}
