import { classifyResponse, TenorError } from '../errors.js';
import { resolveOptions } from '../options.js';
import { withRetry, withTimeout } from '../retry.js';
/** Reads files of a mirror at an address, with retries; each with its whole body. */
export function createFileReader(address, options) {
    // A mirror needs no token, and none is sent.
    const { base, fetch, ...policy } = resolveOptions({ ...options, baseUrl: address, token: '-' });
    return (path) => {
        const { href: url } = new URL(path, base);
        // Other files never change.
        const cache = path === 'latest.json' ? 'no-store' : 'default';
        return withRetry(policy, undefined, (timeoutMs) => withTimeout({ url, timeoutMs, signal: undefined, isStreamed: false }, async (signal) => {
            const response = await fetch(url, { signal, cache });
            const { status } = response;
            if (status === 429 || status >= 500) {
                const message = `the mirror answers with status ${status} to ${path}`;
                throw new TenorError(classifyResponse(status, undefined), message, { url, status });
            }
            return new Response(await response.arrayBuffer(), { status: status || 500 });
        }));
    };
}
