var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
import { TenorError } from './errors.js';
/**
 * Makes a file the newest copy of a dataset: NDJSON, byte for byte the export of its revision.
 * Later calls apply the changes of quotes, and copy any other dataset again only if it changed. The
 * file is replaced in one step, so that a crash leaves the old copy. Everything is copied again
 * where the file, or the database of the service, is another one.
 */
export async function syncCopy(tenor, dataset, path) {
    if (!path.endsWith('.ndjson'))
        throw new TypeError(`path must end in .ndjson, not ${path}`);
    // A name that is not literal keeps bundlers and type checkers from resolving it.
    const fileSystem = await import(__rewriteRelativeImportExtension('node:fs/promises'));
    const copy = await readCopy(fileSystem, dataset, path);
    if (!copy)
        return copyAll(tenor, dataset, fileSystem, path);
    const { revision: since, publishedAt } = copy.state;
    if ((await identifyRevision(tenor, dataset, since)) !== publishedAt) {
        return copyAll(tenor, dataset, fileSystem, path);
    }
    try {
        const { data, meta } = await tenor.changes(dataset, { since, limit: 1 });
        const revision = meta.revision ?? since;
        if (data.length > 0 && dataset !== 'quotes') {
            return copyAll(tenor, dataset, fileSystem, path);
        }
        const { text, count } = await applyChanges(tenor, copy.text, since, revision, data.length > 0);
        await writeCopy(tenor, fileSystem, path, { dataset, revision, text });
        return { revision, changes: count };
    }
    catch (error) {
        // The database was replaced by one with fewer revisions.
        if (!(error instanceof TenorError) || error.kind !== 'bad_request')
            throw error;
        return copyAll(tenor, dataset, fileSystem, path);
    }
}
async function copyAll(tenor, dataset, fileSystem, path) {
    const response = await tenor.export(dataset, 'ndjson');
    const revision = Number(response.headers.get('tenor-revision'));
    await writeCopy(tenor, fileSystem, path, { dataset, revision, text: await response.text() });
    return { revision, changes: undefined };
}
/** Merges two sorted lists: the lines of the copy, and the changes of its quotes. */
async function applyChanges(tenor, copy, since, until, hasChanges) {
    if (!hasChanges)
        return { text: copy, count: 0 };
    const lines = copy.split('\n').slice(0, -1);
    const merged = [];
    let index = 0;
    let count = 0;
    for await (const { change, record } of tenor.changes.all('quotes', { since, until })) {
        while (index < lines.length && compareQuotes(JSON.parse(lines[index] ?? ''), record) < 0) {
            merged.push(lines[index++] ?? '');
        }
        if (index < lines.length && compareQuotes(JSON.parse(lines[index] ?? ''), record) === 0) {
            index += 1;
        }
        if (change !== 'retired')
            merged.push(JSON.stringify(record));
        count += 1;
    }
    const all = [...merged, ...lines.slice(index)];
    return { text: all.map((line) => `${line}\n`).join(''), count };
}
/** Newest date first, then by symbol, in the order of its UTF-8 bytes. */
function compareQuotes(a, b) {
    if (a.date !== b.date)
        return a.date > b.date ? -1 : 1;
    const [left, right] = [[...a.symbol], [...b.symbol]];
    for (const [index, character] of left.entries()) {
        const difference = (character.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1);
        if (difference !== 0)
            return difference;
    }
    return left.length - right.length;
}
async function readCopy(fileSystem, dataset, path) {
    try {
        const decoder = new TextDecoder();
        const file = await fileSystem.readFile(`${path}.tenor.json`);
        const state = JSON.parse(decoder.decode(file));
        const bytes = await fileSystem.readFile(path);
        const isIntact = state.dataset === dataset && state.digest === (await digest(bytes));
        return isIntact ? { state, text: decoder.decode(bytes) } : undefined;
    }
    catch {
        return undefined;
    }
}
/** Writes the copy before its state: after a crash in between, the digest does not fit. */
async function writeCopy(tenor, fileSystem, path, copy) {
    const { dataset, revision, text } = copy;
    const bytes = new TextEncoder().encode(text);
    const publishedAt = await identifyRevision(tenor, dataset, revision);
    const state = { dataset, revision, publishedAt, digest: await digest(bytes) };
    for (const [name, content] of [
        [path, bytes],
        [`${path}.tenor.json`, `${JSON.stringify(state)}\n`],
    ]) {
        await fileSystem.writeFile(`${name}.part`, content);
        await fileSystem.rename(`${name}.part`, name);
    }
}
/** Number and instant of the last revision of a dataset, up to one that may be another's. */
async function identifyRevision(tenor, dataset, revision) {
    const { data } = await tenor.revisions({ dataset, before: revision + 1, limit: 1 });
    return data[0] ? `${data[0].revision} ${data[0].publishedAt}` : '';
}
async function digest(bytes) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
