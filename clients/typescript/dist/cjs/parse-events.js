"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.parseEvents = parseEvents;
const errors_ts_1 = require("./errors.js");
const retry_ts_1 = require("./retry.js");
/**
 * The data of each event `revision` of a stream of events. Ends with the stream; throws a
 * `TenorError` of the kind `network` if it breaks off, or is silent for too long.
 */
async function* parseEvents({ body, url }, maxSilenceMs) {
    if (!body)
        return;
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    try {
        for (;;) {
            const { done, value } = await readInTime(reader, url, maxSilenceMs);
            if (done)
                return;
            const events = (text + decoder.decode(value, { stream: true }))
                .replaceAll('\r\n', '\n')
                .split('\n\n');
            text = events.pop() ?? '';
            for (const event of events) {
                const lines = event.split('\n');
                const data = lines.filter((line) => line.startsWith('data:'));
                if (!lines.some((line) => /^event: ?revision$/.test(line)) || data.length === 0)
                    continue;
                yield data.map((line) => line.replace(/^data: ?/, '')).join('\n');
            }
        }
    }
    finally {
        // A stream that has failed cannot be cancelled.
        await reader.cancel().catch(() => { });
    }
}
async function readInTime(reader, url, maxSilenceMs) {
    let stopTimer = () => { };
    const silence = new Promise((_, reject) => {
        const message = `no event and no comment within ${maxSilenceMs} ms`;
        const onTimeout = () => reject(new errors_ts_1.TenorError('timeout', message, { url }));
        stopTimer = retry_ts_1.SYSTEM_CLOCK.startTimer(maxSilenceMs, onTimeout);
    });
    try {
        return await Promise.race([reader.read(), silence]);
    }
    catch (cause) {
        if (cause instanceof errors_ts_1.TenorError)
            throw cause;
        throw new errors_ts_1.TenorError('network', 'the stream of events broke off', { url }, { cause });
    }
    finally {
        stopTimer();
    }
}
