import { createJsonHeaders, type HttpResponse } from '../../responses/response.ts';

/** An error of JSON-RPC, with the status of its response. */
export interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** Whether the rest of the request is not read. */
  readonly isUnread?: boolean;
}

/** The response to a message that is rejected; without an id where it could not be read. */
export function rpcErrorResponse(
  { status, code, message, isUnread }: RpcError,
  { id = null }: { readonly id?: unknown } = {},
): HttpResponse {
  const headers = createJsonHeaders('no-store');
  if (isUnread) headers.set('Connection', 'close');
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
  return { status, body, headers, revision: null, reason: message };
}
