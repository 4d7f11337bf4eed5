import { TenorError } from './errors.js';
/**
 * The first page and those that follow it, each requested when it is needed. Throws if a page
 * cannot be read, so that the last one is never missed.
 */
export async function* fetchPages(first, readPage) {
    const seen = new Set();
    for (let url = first; url;) {
        seen.add(url.href);
        const page = await readPage(url);
        yield page;
        url = resolveNextPage(page.meta, url, seen);
    }
}
/** The records of all pages, in order. Each iteration requests the pages again. */
export class RecordStream {
    #pages;
    constructor(pages) {
        this.#pages = pages;
    }
    async *[Symbol.asyncIterator]() {
        for await (const { data } of this.#pages())
            yield* data;
    }
    /** All records at once. */
    async toArray() {
        const records = [];
        for await (const record of this)
            records.push(record);
        return records;
    }
}
function resolveNextPage({ next: nextPage, requestId }, url, seen) {
    if (nextPage === undefined)
        return undefined;
    const { origin, search } = new URL(nextPage);
    const createError = (reason) => new TenorError('malformed', `the next page ${reason}`, { url: url.href, requestId });
    // The token must not be sent to another host.
    if (origin !== url.origin)
        throw createError(`is on another host: ${origin}`);
    // The path is kept, because a proxy may have removed a prefix of it.
    const next = new URL(url);
    next.search = search;
    if (seen.has(next.href))
        throw createError('was read already');
    return next;
}
