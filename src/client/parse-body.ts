import { classifyResponse, TenorError, type TenorErrorDetails } from './errors.ts';
import { parseRetryAfter } from './retry.ts';

/** Removes the token from a text. */
type RedactToken = (text: string) => string;

/** The `data` of a success body. Throws for an error body and for any other. */
export function parseData(details: TenorErrorDetails, text: string, redact: RedactToken): unknown {
  const { status, message, data } = parseBody(text);
  if (status === 'error' && message !== undefined) {
    throw new TenorError(classifyResponse(200, message), redact(message), details);
  }
  if (status === 'ok' && typeof data === 'object' && data !== null) return data;
  throw new TenorError('malformed', 'the body is not a response of this service', details);
}

/** The error of a response, with the message of its body if it has one. */
export async function toTenorError(
  response: Response,
  details: TenorErrorDetails,
  redact: RedactToken,
): Promise<TenorError> {
  const { status, message } = parseBody(redact(await response.text()));
  const sentMessage = status === 'error' ? message : undefined;
  const kind = classifyResponse(response.status, sentMessage);
  const redirect = kind === 'redirected' ? describeRedirect(response, redact) : undefined;
  return new TenorError(kind, sentMessage ?? redirect ?? `HTTP status ${response.status}`, {
    ...details,
    retryAfterMs: parseRetryAfter(response.headers, Date.now()),
  });
}

/** Browsers do not reveal the target of a redirect. */
function describeRedirect({ headers }: Response, redact: RedactToken): string {
  const target = redact(headers.get('location') ?? 'another address');
  return `redirected to ${target}, which is not followed because the token would be sent there`;
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
