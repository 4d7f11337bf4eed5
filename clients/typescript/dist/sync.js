import { withoutSeenRevision } from './client.js';
import { readCopy, writeCopy } from './copy-file.js';
import { COPY_FORMATS, mergeChanges } from './copy-format.js';
import { TenorError } from './errors.js';
import { RECORD_ORDERS } from './generated.js';
import { parseMeta } from './response-meta.js';
/** How often a response that is interrupted is requested. */
const MAX_ATTEMPTS = 5;
/** The largest page. */
const PAGE_SIZE = 10_000;
/**
 * Makes a file the newest copy of a dataset: CSV or NDJSON, byte for byte the export of its
 * revision. Later calls apply the changes of quotes, securities and funds, and copy any other
 * dataset again only if it changed. The file is replaced in one step, so that a crash leaves the
 * old copy. Everything is copied again where the file, or the database of the service, is another
 * one.
 */
export async function syncCopy(tenor, dataset, path) {
    const format = COPY_FORMATS.find(({ name }) => path.endsWith(`.${name}`));
    if (!format)
        throw new TypeError(`path must end in .csv or .ndjson, not ${path}`);
    // What the client has seen must not keep it from a database that was replaced by an older one.
    const { client, forget } = withoutSeenRevision(tenor);
    const target = { client, dataset, path, format };
    const copy = await readCopy(dataset, path);
    if (!copy)
        return copyAll(target);
    const { revision: since } = copy.state;
    const first = await client.changes(dataset, { since, limit: 1 }).catch((error) => {
        if (!(error instanceof TenorError) || error.kind !== 'bad_request')
            throw error;
        // The database was replaced by one with fewer revisions.
        forget();
        return undefined;
    });
    if (!first)
        return copyAll(target);
    const lastChange = await identifyRevision(target, since);
    if (lastChange !== copy.state.lastChange)
        return copyAll(target);
    const revision = first.meta.revision ?? since;
    return applyChanges(target, copy, revision, first.data.length > 0);
}
async function copyAll({ client, dataset, path, format }) {
    const { text, response } = await readText(() => client.export(dataset, format.name));
    const revision = Number(response.headers.get('tenor-revision'));
    const lastChange = await identifyRevision({ client, dataset }, revision);
    await writeCopy(path, text, { dataset, revision, lastChange });
    return { revision, changes: undefined };
}
async function applyChanges(target, copy, revision, hasChanges) {
    const { dataset, path, format } = target;
    const order = RECORD_ORDERS[dataset];
    let merged = { text: copy.text, count: 0 };
    if (hasChanges) {
        if (!order)
            return copyAll(target);
        const pages = await readChangePages(target, copy.state.revision, revision);
        merged = mergeChanges(copy.text, pages, format, order);
        if (!merged)
            return copyAll(target);
    }
    const lastChange = await identifyRevision(target, revision);
    await writeCopy(path, merged.text, { dataset, revision, lastChange });
    return { revision, changes: merged.count };
}
async function readChangePages({ client, dataset, format }, since, until) {
    const pages = [];
    let cursor;
    do {
        const parameters = { dataset, since, until, limit: PAGE_SIZE, cursor };
        const { text, response } = await readText(() => client.download('changes', format.name, parameters));
        pages.push(text);
        // A `fetch` of the caller may leave the URL out; only the query of the next page is read.
        ({ cursor } = parseMeta(response.url || 'http://localhost/', response.headers, false));
    } while (cursor !== undefined);
    return pages;
}
/** Number and instant of the last revision of a dataset, up to one that may be another's. */
async function identifyRevision({ client, dataset }, revision) {
    const { data } = await client.revisions({ dataset, before: revision + 1, limit: 1 });
    return data[0] ? `${data[0].revision} ${data[0].publishedAt}` : '';
}
/** The whole body of a response, which is requested again if it is interrupted. */
async function readText(open) {
    for (let attempt = 1;; attempt += 1) {
        const response = await open();
        try {
            return { response, text: await response.text() };
        }
        catch (cause) {
            if (attempt < MAX_ATTEMPTS)
                continue;
            const { url } = response;
            throw new TenorError('network', 'the response was interrupted', { url }, { cause });
        }
    }
}
