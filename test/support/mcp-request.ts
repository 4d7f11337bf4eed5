/** A request to /mcp, as clients of the protocol send it. */
export function createMcpRequest(message?: object, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: message ? JSON.stringify(message) : null,
  });
}

export const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
