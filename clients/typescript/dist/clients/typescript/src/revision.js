import { TenorError } from '../../../src/client/errors.js';
import { fetchPages, RecordStream } from '../../../src/client/fetch-pages.js';
export function createRevisionOperation({ url, read, allPagesDefaults, }) {
    async function readPage(pageUrl, options = {}) {
        const { data, meta } = await read(pageUrl, options);
        if (Array.isArray(data?.changes)) {
            return { data: data, meta };
        }
        const details = { url: pageUrl.href, requestId: meta.requestId };
        throw new TenorError('malformed', 'the response is not a revision', details);
    }
    async function* pages(n, parameters, options) {
        const first = url(n, { ...allPagesDefaults, ...parameters });
        let changeCount = 0;
        for await (const page of fetchPages(first, (pageUrl) => readPage(pageUrl, options))) {
            changeCount += page.data.changes.length;
            // With a cursor, earlier changes were read before.
            if (!page.meta.hasMore && parameters?.cursor === undefined) {
                assertComplete(page, changeCount, first);
            }
            yield page;
        }
    }
    async function* changeLists(...args) {
        for await (const { data, meta } of pages(...args))
            yield { data: data.changes, meta };
    }
    return Object.assign(async (n, parameters, options) => readPage(url(n, parameters), options), {
        pages,
        all: (...args) => new RecordStream(() => changeLists(...args)),
    });
}
/** The counts of a revision are of all its changes: a service that cuts them must link the rest. */
function assertComplete({ data, meta }, changeCount, { href: url }) {
    const total = data.added + data.corrected + data.retired;
    if (changeCount >= total)
        return;
    const message = `only ${changeCount} of ${total} changes were sent`;
    throw new TenorError('malformed', message, { url, requestId: meta.requestId });
}
