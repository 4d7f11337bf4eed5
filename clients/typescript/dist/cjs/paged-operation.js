"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createPagedOperation = createPagedOperation;
const fetch_pages_ts_1 = require("./fetch-pages.js");
/** Invalid parameters reject, like any other error. */
function createPagedOperation({ url, read, allPagesDefaults, }) {
    async function readPage(parameters, options = {}) {
        return read(url(parameters), options);
    }
    async function* pages(parameters, options = {}) {
        yield* (0, fetch_pages_ts_1.fetchPages)(url({ ...allPagesDefaults, ...parameters }), (page) => read(page, options));
    }
    function all(parameters, options) {
        return new fetch_pages_ts_1.RecordStream(() => pages(parameters, options));
    }
    return Object.assign(readPage, { pages, all });
}
