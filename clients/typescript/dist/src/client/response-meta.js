import { TenorError } from './errors.js';
import { parseLinkHeader } from './parse-link-header.js';
export function parseMeta(url, headers, cached) {
    const text = (name) => headers.get(name) ?? undefined;
    const next = parseNextLink(url, headers);
    return {
        revision: parseInteger(text('tenor-revision')),
        publishedAt: text('tenor-published-at'),
        sincePublishedAt: text('tenor-since-published-at'),
        total: parseInteger(text('tenor-total-count')),
        hasMore: next !== undefined,
        next,
        cursor: (next && new URL(next).searchParams.get('cursor')) ?? undefined,
        successor: parseSuccessor(text('link') ?? ''),
        units: parseUnits(text('tenor-units')),
        memento: parseDate(text('memento-datetime')),
        lastModified: parseDate(text('last-modified')),
        rateLimitLeft: parseRemaining(text('ratelimit') ?? ''),
        etag: text('etag'),
        requestId: text('x-request-id'),
        cached,
    };
}
/** The cursor of the next page; undefined on the last one. Only the query of its URL is read. */
export function parseCursor({ headers }) {
    return parseMeta('http://localhost/', headers, false).cursor;
}
/** A malformed link is an error: ignoring it would silently skip the remaining pages. */
function parseNextLink(url, headers) {
    const links = parseLinkHeader(headers.get('link') ?? '');
    const next = links?.find(({ relations }) => relations.includes('next'));
    if (links && !next)
        return undefined;
    try {
        if (next)
            return new URL(next.target, url).href;
    }
    catch { }
    const requestId = headers.get('x-request-id') ?? undefined;
    throw new TenorError('malformed', 'the Link header of the response is malformed', {
        url,
        requestId,
    });
}
function parseSuccessor(header) {
    const links = parseLinkHeader(header) ?? [];
    const link = links.find(({ relations }) => relations.includes('successor-version'));
    return link && /\/datasets\/([\w-]+)$/.exec(link.target)?.[1];
}
/** A list of strings by RFC 9651: `"percent", %"%e2%82%a8 billion"`. */
function parseUnits(header) {
    const strings = header?.matchAll(/(%?)"((?:[^"\\]|\\.)*)"/g);
    return (strings &&
        Array.from(strings, ([, isEncoded, text = '']) => isEncoded ? decodeURIComponent(text) : text.replace(/\\(.)/g, '$1')));
}
/** The smallest remainder of all policies: `"minute";r=12;t=30, "day";r=900;t=3600`. */
function parseRemaining(header) {
    const unquoted = header.replace(/"(?:[^"\\]|\\.)*"/g, '');
    const remaining = [...unquoted.matchAll(/;\s*r=(\d+)/g)].map(([, number]) => Number(number));
    return remaining.length > 0 ? Math.min(...remaining) : undefined;
}
function parseInteger(text) {
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
function parseDate(text) {
    const ms = Date.parse(text ?? '');
    return Number.isNaN(ms) ? undefined : new Date(ms);
}
