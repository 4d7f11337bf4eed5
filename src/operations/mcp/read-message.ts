import { createJsonHeaders, type HttpResponse } from '../../http/responses/response.ts';
import { isPlainObject } from '../../shared/is-plain-object.ts';
import { system } from '../../shared/system.ts';

/** Arguments are short: the longest valid message is far below. */
const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 10_000;
/** Nothing that reads a message recursively is to run out of stack. */
const MAX_DEPTH = 64;

/** An error of JSON-RPC, with the status of its response. */
export interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** Whether the rest of the request is not read. */
  readonly isUnread?: boolean;
}

type ReceivedMessage =
  | { readonly message: object; readonly error?: never }
  | { readonly message?: never; readonly error: RpcError };

/** The JSON object in the body of a request. */
export async function readMessage(
  request: Request,
  timeoutMs = TIMEOUT_MS,
): Promise<ReceivedMessage> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) return TOO_LARGE;
  const bytes = await readBytes(request, timeoutMs);
  if (!(bytes instanceof Uint8Array)) return bytes;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (isTooDeep(text)) return TOO_DEEP;
    const message: unknown = JSON.parse(text);
    return isPlainObject(message) ? { message } : NO_OBJECT;
  } catch {
    return NO_JSON;
  }
}

async function readBytes({ body }: Request, timeoutMs: number) {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  let isTooSlow = false;
  const timeout = system.setTimeout(() => {
    isTooSlow = true;
    reader.cancel().catch(() => {});
  }, timeoutMs);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isTooSlow) return TOO_SLOW;
      if (done) return Buffer.concat(chunks);
      length += value.byteLength;
      if (length > MAX_BYTES) {
        reader.cancel().catch(() => {});
        return TOO_LARGE;
      }
      chunks.push(value);
    }
  } catch {
    // The connection was closed.
    return TOO_SLOW;
  } finally {
    timeout.cancel();
  }
}

/** Counts brackets outside of strings. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length && depth <= MAX_DEPTH; index++) {
    const character = json[index];
    if (character === '\\') index++;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
  }
  return depth > MAX_DEPTH;
}

const NO_JSON = defineError(400, -32700, 'the body must be JSON in UTF-8');
const NO_OBJECT = defineError(
  400,
  -32600,
  'the body must be one message, an object; batches are not taken',
);
const TOO_DEEP = defineError(400, -32600, `a message may be nested ${MAX_DEPTH} deep at most`);
const TOO_LARGE = defineError(413, -32000, `a message may have ${MAX_BYTES} bytes at most`, true);
const TOO_SLOW = defineError(
  408,
  -32000,
  `a message must arrive within ${TIMEOUT_MS / 1_000} seconds`,
  true,
);

function defineError(status: number, code: number, message: string, isUnread = false) {
  return { error: { status, code, message, isUnread } };
}

/** The response to a message that is rejected; without an id if it could not be read. */
export function rpcErrorResponse(
  { status, code, message, isUnread }: RpcError,
  { id = null }: { readonly id?: unknown } = {},
): HttpResponse {
  const headers = createJsonHeaders('no-store');
  if (isUnread) headers.set('Connection', 'close');
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
  return { status, body, headers, revision: null, reason: message };
}
