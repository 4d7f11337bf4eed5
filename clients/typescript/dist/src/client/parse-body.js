import { classifyResponse, TenorError } from './errors.js';
import { parseRetryAfter } from './retry.js';
/** The `data` of a success body. Throws for an error body and for any other. */
export function parseData(details, text, redact) {
    const { status, message, data } = parseBody(text);
    if (status === 'error' && message !== undefined) {
        throw new TenorError(classifyResponse(200, message), redact(message), details);
    }
    if (status === 'ok' && typeof data === 'object' && data !== null)
        return data;
    throw new TenorError('malformed', 'the body is not a response of this service', details);
}
/** The error of a response, with the message of its body if it has one. */
export async function toTenorError(response, details, redact) {
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
function describeRedirect({ headers }, redact) {
    const target = redact(headers.get('location') ?? 'another address');
    return `redirected to ${target}, which is not followed because the token would be sent there`;
}
function parseBody(text) {
    try {
        const body = Object(JSON.parse(text));
        const { status, message, data } = body;
        return { status, data, message: typeof message === 'string' ? message : undefined };
    }
    catch {
        return { message: undefined };
    }
}
