import { bufferResponse } from '../buffer-response.js';
import { classifyResponse, TenorError } from '../errors.js';
import { parseBaseUrl, resolveOptions } from '../options.js';
import { withRetry, withTimeout } from '../retry.js';
/** Reads files of a mirror at an address, with retries; each with its whole body. */
export function createFileReader(address, options) {
    const base = parseBaseUrl(address, 'the address of a mirror');
    // A mirror needs no token, and none is sent.
    const { fetch, ...policy } = resolveOptions({ ...options, baseUrl: base, token: '-' });
    return (path) => {
        const { href: url } = new URL(path, base);
        // Other files never change.
        const cache = path === 'latest.json' ? 'no-store' : 'default';
        // The changes of a revision may be large: the timeout is for the begin of a response.
        const attempt = { url, signal: undefined, isStreamed: true };
        const send = () => withRetry(policy, undefined, (timeoutMs) => withTimeout({ ...attempt, timeoutMs }, async (signal) => {
            const response = await fetch(url, { signal, cache });
            const { status } = response;
            if (status !== 429 && status < 500)
                return response;
            const message = `the mirror answers with status ${status} to ${path}`;
            throw new TenorError(classifyResponse(status, undefined), message, { url, status });
        }));
        // The changes of a revision, whose lines are read as they come.
        return path.endsWith('.ndjson') ? send() : bufferResponse(send);
    };
}
