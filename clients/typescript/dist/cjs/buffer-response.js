"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.bufferResponse = bufferResponse;
exports.retryInterrupted = retryInterrupted;
exports.toInterruptedError = toInterruptedError;
const bounded_response_ts_1 = require("./bounded-response.js");
const errors_ts_1 = require("./errors.js");
const verification_error_ts_1 = require("./ledger/verification-error.js");
/** The maximum number of requests for a response that is interrupted. */
const MAX_ATTEMPTS = 5;
/** A response with its whole body, which is requested again if it is interrupted. */
function bufferResponse(open, limit = bounded_response_ts_1.BUFFER_LIMIT) {
    return retryInterrupted(async () => {
        const response = await open();
        const { url, headers, status } = response;
        try {
            const { body } = (0, bounded_response_ts_1.boundResponse)(response, url, null, limit);
            return new Response(await new Response(body).arrayBuffer(), { headers, status });
        }
        catch (cause) {
            throw toInterruptedError(response, cause);
        }
    });
}
/** Reads a response again if it is interrupted. */
async function retryInterrupted(read) {
    for (let attempt = 1;; attempt += 1) {
        try {
            return await read();
        }
        catch (cause) {
            // Without a status there was no response: whoever requested it has tried again already.
            const { kind, status } = cause;
            if (kind !== 'network' || status === undefined || attempt >= MAX_ATTEMPTS)
                throw cause;
        }
    }
}
/** The error of a body that could not be read, unless that says itself what is wrong with it. */
function toInterruptedError({ url, status }, cause) {
    if (cause instanceof errors_ts_1.TenorError || cause instanceof verification_error_ts_1.VerificationError)
        return cause;
    return new errors_ts_1.TenorError('network', 'the response was interrupted', { url, status }, { cause });
}
