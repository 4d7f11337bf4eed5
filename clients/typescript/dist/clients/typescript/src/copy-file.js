var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
const MAX_PART_AGE_MS = 24 * 60 * 60 * 1_000;
/** The state of an intact copy of a dataset, and its text. */
export async function readCopy(dataset, path) {
    const { readFile } = await importFileSystem();
    try {
        const decoder = new TextDecoder();
        const state = JSON.parse(decoder.decode(await readFile(getStatePath(path))));
        const bytes = await readFile(path);
        const isIntact = state.dataset === dataset && state.digest === (await digest(bytes));
        return isIntact ? { state, text: decoder.decode(bytes) } : undefined;
    }
    catch {
        return undefined;
    }
}
/** Writes the copy before its state: after a crash in between, the digest does not fit. */
export async function writeCopy(path, text, state) {
    const bytes = new TextEncoder().encode(text);
    const complete = { ...state, digest: await digest(bytes) };
    await replaceFile(path, bytes);
    await replaceFile(getStatePath(path), new TextEncoder().encode(`${JSON.stringify(complete)}\n`));
}
/** No other call writes to the same temporary file. */
async function replaceFile(path, bytes) {
    const fileSystem = await importFileSystem();
    await removeOldParts(fileSystem, path);
    const part = `${path}.${crypto.randomUUID()}.part`;
    try {
        await fileSystem.writeFile(part, bytes, { flush: true });
        await fileSystem.rename(part, path);
    }
    finally {
        await fileSystem.rm(part, { force: true });
    }
}
/** A process that was killed leaves its part; it is removed a day later. */
async function removeOldParts(fileSystem, path) {
    const folder = path.replace(/[^/\\]*$/, '');
    const prefix = `${path.slice(folder.length)}.`;
    for (const name of await fileSystem.readdir(folder || '.')) {
        if (!name.startsWith(prefix) || !name.endsWith('.part'))
            continue;
        try {
            const { mtimeMs } = await fileSystem.stat(folder + name);
            if (Date.now() - mtimeMs > MAX_PART_AGE_MS)
                await fileSystem.rm(folder + name, { force: true });
        }
        catch { }
    }
}
function getStatePath(path) {
    return `${path}.tenor.json`;
}
function importFileSystem() {
    // A name that is not literal keeps bundlers and type checkers from resolving it.
    return import(__rewriteRelativeImportExtension('node:fs/promises'));
}
async function digest(bytes) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
