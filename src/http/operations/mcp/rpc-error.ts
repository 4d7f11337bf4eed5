import { createJsonHeaders, type HttpResponse } from '../../responses/response.ts';

/** An error of JSON-RPC, with the status of its response. */
export interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** Whether the rest of the request is not read. */
  readonly isUnread?: boolean;
}

/** The response to a message that could not be read, so that its id is not known. */
export function rpcErrorResponse({ status, code, message, isUnread }: RpcError): HttpResponse {
  const headers = createJsonHeaders('no-store');
  if (isUnread) headers.set('Connection', 'close');
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  return { status, body, headers, revision: null, reason: message };
}
