import { boundResponse, fetchInflated } from './bounded-response.js';
/** Throws a `TypeError` that names the invalid option, never with the token in it. */
export function resolveOptions(options) {
    const { fetch = fetchInflated } = options;
    return {
        base: parseBaseUrl(options.baseUrl ?? readEnvironment('TENOR_URL')),
        token: validateToken(options.token ?? readEnvironment('TENOR_TOKEN')),
        timeoutMs: requireAtLeast(1, 'timeoutMs', options.timeoutMs ?? 30_000),
        tries: requireAtLeast(1, 'tries', options.tries ?? 7),
        totalMs: requireAtLeast(1, 'totalMs', options.totalMs ?? 120_000),
        cacheCharacters: requireAtLeast(0, 'cacheCharacters', options.cacheCharacters ?? 16_000_000),
        fetch: async (url, init) => boundResponse(await fetch(url, init), url, new Headers(init.headers).get('accept')),
    };
}
/** Browsers have no environment. */
function readEnvironment(name) {
    const { process } = globalThis;
    return process?.env?.[name] ?? '';
}
export function parseBaseUrl(baseUrl, name = 'baseUrl (or TENOR_URL)') {
    const base = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : undefined;
    const isPlain = base?.username === '' && base.password === '' && base.search + base.hash === '';
    if (!base || !isPlain || !/^https?:$/.test(base.protocol)) {
        throw new TypeError(`${name} must be an http or https address without user, query and fragment`);
    }
    if (!base.pathname.endsWith('/'))
        base.pathname += '/';
    return base;
}
function validateToken(token) {
    // Some runtimes print the whole header in the error about an invalid character.
    if (typeof token === 'string' && /^[!-~]+$/.test(token))
        return token;
    throw new TypeError('token (or TENOR_TOKEN) must be a text of printable ASCII characters without spaces');
}
/** Timers fire at once if their delay is longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;
function requireAtLeast(min, name, value) {
    if (typeof value === 'number' && value >= min)
        return Math.min(value, MAX_TIMER_MS);
    throw new TypeError(`${name} must be a number from ${min}`);
}
