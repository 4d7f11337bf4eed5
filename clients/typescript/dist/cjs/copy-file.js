"use strict";
var __createBinding = (this && this.__createBinding) || (Object.create ? (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    var desc = Object.getOwnPropertyDescriptor(m, k);
    if (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) {
      desc = { enumerable: true, get: function() { return m[k]; } };
    }
    Object.defineProperty(o, k2, desc);
}) : (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    o[k2] = m[k];
}));
var __setModuleDefault = (this && this.__setModuleDefault) || (Object.create ? (function(o, v) {
    Object.defineProperty(o, "default", { enumerable: true, value: v });
}) : function(o, v) {
    o["default"] = v;
});
var __importStar = (this && this.__importStar) || (function () {
    var ownKeys = function(o) {
        ownKeys = Object.getOwnPropertyNames || function (o) {
            var ar = [];
            for (var k in o) if (Object.prototype.hasOwnProperty.call(o, k)) ar[ar.length] = k;
            return ar;
        };
        return ownKeys(o);
    };
    return function (mod) {
        if (mod && mod.__esModule) return mod;
        var result = {};
        if (mod != null) for (var k = ownKeys(mod), i = 0; i < k.length; i++) if (k[i] !== "default") __createBinding(result, mod, k[i]);
        __setModuleDefault(result, mod);
        return result;
    };
})();
var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.readCopy = readCopy;
exports.writeCopy = writeCopy;
const MAX_PART_AGE_MS = 24 * 60 * 60 * 1_000;
/** The state of an intact copy of a dataset, and its text. */
async function readCopy(dataset, path) {
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
async function writeCopy(path, text, state) {
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
    return Promise.resolve(`${__rewriteRelativeImportExtension('node:fs/promises')}`).then(s => __importStar(require(s)));
}
async function digest(bytes) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
