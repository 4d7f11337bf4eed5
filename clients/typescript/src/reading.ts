import { type FailureDetails, kindOf, TenorError } from './errors.ts';
import { retryAfterMs } from './retry.ts';

/** Takes out of a text what nobody is to see. */
export type Hide = (text: string) => string;

/** The `data` of a success body. Throws what an error body says, and where it is neither. */
export function dataIn(details: FailureDetails, text: string, hide: Hide): unknown {
  const { status, message, data } = parsed(text);
  if (status === 'error' && message !== undefined) {
    throw new TenorError(kindOf(200, message), hide(message), details);
  }
  if (status === 'ok' && typeof data === 'object' && data !== null) return data;
  throw new TenorError('malformed', 'the body is not one that this service sends', details);
}

/** The failure that an answer stands for, with the message of its body where it has one. */
export async function failureOf(
  response: Response,
  details: FailureDetails,
  hide: Hide,
): Promise<TenorError> {
  const { status, message } = parsed(hide(await response.text()));
  const told = status === 'error' ? message : undefined;
  const kind = kindOf(response.status, told);
  const untold = kind === 'redirected' ? redirectTold(response, hide) : undefined;
  return new TenorError(kind, told ?? untold ?? `HTTP status ${response.status}`, {
    ...details,
    retryAfterMs: retryAfterMs(response.headers, Date.now()),
  });
}

/** Browsers do not say where a redirect leads. */
function redirectTold({ headers }: Response, hide: Hide): string {
  const where = hide(headers.get('location') ?? 'another address');
  return `there is a redirect to ${where}; none is followed, since the token would go there too`;
}

interface Body {
  readonly status?: unknown;
  readonly message: string | undefined;
  readonly data?: unknown;
}

function parsed(text: string): Body {
  try {
    const body = Object(JSON.parse(text)) as Record<string, unknown>;
    const { status, message, data } = body;
    return { status, data, message: typeof message === 'string' ? message : undefined };
  } catch {
    return { message: undefined };
  }
}
