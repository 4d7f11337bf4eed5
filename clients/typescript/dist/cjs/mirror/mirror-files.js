"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.openFile = openFile;
exports.readLatest = readLatest;
exports.readManifest = readManifest;
exports.readDataFile = readDataFile;
const bounded_response_ts_1 = require("../bounded-response.js");
const errors_ts_1 = require("../errors.js");
const log_entry_ts_1 = require("../ledger/log-entry.js");
const read_leaves_ts_1 = require("../ledger/read-leaves.js");
const tree_ts_1 = require("../ledger/tree.js");
const verification_error_ts_1 = require("../ledger/verification-error.js");
/** Opens a file. Rejects with an error that has the `status` of any but 200. */
async function openFile(read, path) {
    const response = await read(path);
    if (response.status === 200)
        return response;
    const { url } = response;
    // Object stores say of files that are not there that they may not be read.
    if ([403, 404, 410].includes(response.status))
        throw new errors_ts_1.TenorError('not_found', `the mirror has no ${path}`, { url, status: 404 });
    const { status } = response;
    const message = `the mirror answers with status ${status} to ${path}`;
    throw new errors_ts_1.TenorError((0, errors_ts_1.classifyResponse)(status, undefined), message, { url, status });
}
/** The newest revision of a mirror. Rejects where there is no mirror. */
async function readLatest(read) {
    const path = 'latest.json';
    const response = await openFile(read, path).catch((cause) => {
        throw cause.status === 404 ? createNoMirrorError(cause.url, cause) : cause;
    });
    const { revision } = Object(await (0, bounded_response_ts_1.readJson)(response));
    if (Number.isSafeInteger(revision) && Number(revision) <= read_leaves_ts_1.MAX_REVISIONS)
        return Number(revision);
    throw createNoMirrorError(response.url);
}
function createNoMirrorError(url, cause) {
    const message = 'there is no mirror at this address: it has no latest.json with a revision';
    return new errors_ts_1.TenorError('not_found', message, { url, status: 404 }, { cause });
}
async function readManifest(read, revision) {
    const path = `revisions/${revision}/manifest.json`;
    const response = await openFile(read, path);
    const manifest = await (0, bounded_response_ts_1.readJson)(response);
    if (manifest?.revision === revision && manifest.datasets)
        return manifest;
    throw new errors_ts_1.TenorError('malformed', `${path} is no manifest of a mirror`, { url: response.url });
}
const DATA_PATH = /^data\/[0-9a-f]{64}\.parquet$/;
/** The bytes of a data file, which must be those that its name says. */
async function readDataFile(read, path, dataset) {
    // A path of any other kind could lead elsewhere.
    if (!DATA_PATH.test(path))
        throw new errors_ts_1.TenorError('malformed', `"${path}" is no data file of a mirror`, { url: path });
    const response = await openFile(read, path).catch((cause) => {
        if (cause.status !== 404)
            throw cause;
        const message = `The mirror has no ${path}, which its records of ${dataset} are in.`;
        throw (0, verification_error_ts_1.createAlarm)('altered-data', message, { dataset });
    });
    const bytes = await response.arrayBuffer();
    if (path === `data/${(0, log_entry_ts_1.toHex)(await (0, tree_ts_1.sha256)(new Uint8Array(bytes)))}.parquet`)
        return bytes;
    throw (0, verification_error_ts_1.createAlarm)('altered-data', `The file ${path} with records of ${dataset} has other bytes than its name says.`, { dataset });
}
