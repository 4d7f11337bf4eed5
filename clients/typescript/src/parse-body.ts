import { classifyResponse, TenorError, type TenorErrorDetails } from './errors.ts';
import { parseRetryAfter } from './retry.ts';

/** Takes out of a text what nobody is to see. */
export type RedactToken = (text: string) => string;

/** The `data` of a success body. Throws what an error body says, and where it is neither. */
export function parseData(details: TenorErrorDetails, text: string, hide: RedactToken): unknown {
  const { status, message, data } = parseBody(text);
  if (status === 'error' && message !== undefined) {
    throw new TenorError(classifyResponse(200, message), hide(message), details);
  }
  if (status === 'ok' && typeof data === 'object' && data !== null) return data;
  throw new TenorError('malformed', 'the body is not one that this service sends', details);
}

/** The failure that an answer stands for, with the message of its body where it has one. */
export async function toTenorError(
  response: Response,
  details: TenorErrorDetails,
  hide: RedactToken,
): Promise<TenorError> {
  const { status, message } = parseBody(hide(await response.text()));
  const told = status === 'error' ? message : undefined;
  const kind = classifyResponse(response.status, told);
  const untold = kind === 'redirected' ? describeRedirect(response, hide) : undefined;
  return new TenorError(kind, told ?? untold ?? `HTTP status ${response.status}`, {
    ...details,
    retryAfterMs: parseRetryAfter(response.headers, Date.now()),
  });
}

/** Browsers do not say where a redirect leads. */
function describeRedirect({ headers }: Response, hide: RedactToken): string {
  const where = hide(headers.get('location') ?? 'another address');
  return `there is a redirect to ${where}; none is followed, since the token would go there too`;
}

interface ParsedBody {
  readonly status?: unknown;
  readonly message: string | undefined;
  readonly data?: unknown;
}

function parseBody(text: string): ParsedBody {
  try {
    const body = Object(JSON.parse(text)) as Record<string, unknown>;
    const { status, message, data } = body;
    return { status, data, message: typeof message === 'string' ? message : undefined };
  } catch {
    return { message: undefined };
  }
}
