"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readChunks = readChunks;
const buffer_response_ts_1 = require("./buffer-response.js");
const errors_ts_1 = require("./errors.js");
const retry_ts_1 = require("./retry.js");
/** The bytes of a body as they come; throws if it is interrupted, or silent for too long. */
async function* readChunks(response, maxSilenceMs = 60_000) {
    const reader = response.body?.getReader();
    let isSilent = false;
    // A stream that has failed cannot be cancelled.
    const cancel = () => reader?.cancel().catch(() => { });
    const onTimeout = () => {
        isSilent = true;
        cancel();
    };
    try {
        while (reader) {
            const stopTimer = retry_ts_1.SYSTEM_CLOCK.startTimer(maxSilenceMs, onTimeout);
            const { done, value } = await reader.read().finally(stopTimer);
            if (isSilent)
                throw new errors_ts_1.TenorError('timeout', `nothing was sent within ${maxSilenceMs} ms`, response);
            if (done)
                return;
            yield value;
        }
    }
    catch (cause) {
        throw (0, buffer_response_ts_1.toInterruptedError)(response, cause);
    }
    finally {
        await cancel();
    }
}
