"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createFileReader = createFileReader;
const buffer_response_ts_1 = require("../buffer-response.js");
const errors_ts_1 = require("../errors.js");
const options_ts_1 = require("../options.js");
const retry_ts_1 = require("../retry.js");
/** Reads files of a mirror at an address, with retries; each with its whole body. */
function createFileReader(address, options) {
    const base = (0, options_ts_1.parseBaseUrl)(address, 'the address of a mirror');
    // A mirror needs no token, and none is sent.
    const { fetch, ...policy } = (0, options_ts_1.resolveOptions)({ ...options, baseUrl: base, token: '-' });
    return (path) => {
        const { href: url } = new URL(path, base);
        // Other files never change.
        const cache = path === 'latest.json' ? 'no-store' : 'default';
        // The changes of a revision may be large: the timeout is for the begin of a response.
        const attempt = { url, signal: undefined, isStreamed: true };
        const send = () => (0, retry_ts_1.withRetry)(policy, undefined, (timeoutMs) => (0, retry_ts_1.withTimeout)({ ...attempt, timeoutMs }, async (signal) => {
            const response = await fetch(url, { signal, cache });
            const { status } = response;
            if (status !== 429 && status < 500)
                return response;
            const message = `the mirror answers with status ${status} to ${path}`;
            throw new errors_ts_1.TenorError((0, errors_ts_1.classifyResponse)(status, undefined), message, { url, status });
        }));
        // The changes of a revision, whose lines are read as they come.
        return path.endsWith('.ndjson') ? send() : (0, buffer_response_ts_1.bufferResponse)(send);
    };
}
