/** Any failed request. Invalid arguments are a `TypeError`; an abort rejects with its reason. */
export class TenorError extends Error {
    name = 'TenorError';
    kind;
    url;
    status;
    requestId;
    retryAfterMs;
    constructor(kind, message, details, options) {
        super(message, options);
        this.kind = kind;
        this.url = details.url;
        this.status = details.status;
        this.requestId = details.requestId;
        this.retryAfterMs = details.retryAfterMs;
    }
}
/** The kind of a response with that status and message. */
export function classifyResponse(status, message) {
    if (status === 200)
        return message === undefined ? 'malformed' : classifyOkError(message);
    // Browsers hide a redirect behind status 0.
    if (status === 0 || (status >= 300 && status < 400 && status !== 304))
        return 'redirected';
    if (status >= 500)
        return KIND_BY_STATUS[status] ?? 'internal_error';
    return KIND_BY_STATUS[status] ?? (status >= 400 ? 'bad_request' : 'malformed');
}
const KIND_BY_STATUS = {
    401: 'unauthorized',
    403: 'forbidden',
    404: 'not_found',
    406: 'not_writable',
    429: 'too_many_requests',
    // Sent by proxies while the service restarts.
    502: 'temporarily_unavailable',
    503: 'temporarily_unavailable',
    504: 'temporarily_unavailable',
};
/** A missing or unknown fund_id is answered with status 200. */
function classifyOkError(message) {
    if (message === 'no fund_id provided')
        return 'no_fund_id';
    return message === 'no_record_found' ? 'no_record_found' : 'bad_request';
}
