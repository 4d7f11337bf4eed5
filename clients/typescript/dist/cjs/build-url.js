"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.buildUrl = buildUrl;
/** The URL of an operation, with its path segments in braces and its query filled in. */
function buildUrl(base, path, parameters = {}, segments = {}) {
    const target = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(segments[name])));
    const url = new URL(`.${target}`, base);
    for (const [name, value] of Object.entries(parameters)) {
        if (value === undefined)
            continue;
        if (typeof value !== 'string' && typeof value !== 'number') {
            // Omitting it or converting it to text would hide the mistake.
            throw new TypeError(`parameter "${name}" must be a text or a number`);
        }
        url.searchParams.set(name, String(value));
    }
    return url;
}
