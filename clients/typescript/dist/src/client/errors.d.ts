/** The kind of an error: sent by the service, or (the last six) found by the client. */
export type TenorErrorKind = 'no_fund_id' | 'no_record_found' | 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'not_writable' | 'too_many_requests' | 'internal_error' | 'temporarily_unavailable' | 'network' | 'timeout' | 'redirected' | 'malformed' | 'unsupported' | 'behind';
/** The details of a failed request. */
export interface TenorErrorDetails {
    readonly url: string;
    /** The HTTP status; undefined without a response. 200 for the two fund errors. */
    readonly status?: number | undefined;
    /** Identifies the request in the logs of the service. */
    readonly requestId?: string | undefined;
    /** The wait that `Retry-After` asks for. */
    readonly retryAfterMs?: number | undefined;
}
/** Any failed request. Invalid arguments are a `TypeError`; an abort rejects with its reason. */
export declare class TenorError extends Error {
    readonly name = "TenorError";
    readonly kind: TenorErrorKind;
    readonly url: string;
    readonly status: number | undefined;
    readonly requestId: string | undefined;
    readonly retryAfterMs: number | undefined;
    constructor(kind: TenorErrorKind, message: string, details: TenorErrorDetails, options?: ErrorOptions);
}
/** The kind of a response with that status and message. */
export declare function classifyResponse(status: number, message: string | undefined): TenorErrorKind;
