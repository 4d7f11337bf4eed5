import { fetchPages, RecordStream } from '../../../src/client/fetch-pages.js';
/** Invalid parameters reject, like any other error. */
export function createPagedOperation({ url, read, allPagesDefaults, }) {
    async function readPage(parameters, options = {}) {
        return read(url(parameters), options);
    }
    async function* pages(parameters, options = {}) {
        yield* fetchPages(url({ ...allPagesDefaults, ...parameters }), (page) => read(page, options));
    }
    function all(parameters, options) {
        return new RecordStream(() => pages(parameters, options));
    }
    return Object.assign(readPage, { pages, all });
}
