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
Object.defineProperty(exports, "__esModule", { value: true });
exports.openMirror = openMirror;
exports.verifyMirror = verifyMirror;
exports.readFileRecords = readFileRecords;
const errors_ts_1 = require("../errors.js");
const find_own_ts_1 = require("../find-own.js");
const note_ts_1 = require("../ledger/note.js");
const mirror_files_ts_1 = require("./mirror-files.js");
const restore_records_ts_1 = require("./restore-records.js");
/**
 * Opens a mirror. Rejects where there is none. A kept checkpoint takes the place of one that says the
 * same: a mirror has it as it was signed first, perhaps with the key before.
 */
async function openMirror(read, keptCheckpoint = '') {
    const revision = await findNewest(read, (0, note_ts_1.parseCheckpoint)(keptCheckpoint)?.size ?? 0);
    const { since = 1, scopes, datasets } = await (0, mirror_files_ts_1.readManifest)(read, revision);
    const hasAll = scopes.includes('*');
    const open = async (target) => {
        const { pathname, searchParams } = new URL(target, 'http://mirror');
        const [, first, kind = '', name = ''] = pathname.split('/');
        const asOf = Number(searchParams.get('as_of') ?? revision);
        switch (kind === '' || first !== 'ledger' ? first : kind) {
            case 'checkpoint':
                return openCheckpoint(read, revision, searchParams.get('size'), keptCheckpoint);
            case 'keys':
                return (0, mirror_files_ts_1.openFile)(read, `revisions/${revision}/keys.json`);
            case 'tile':
                return (0, mirror_files_ts_1.openFile)(read, pathname.slice(1));
            case 'entries':
                return openEntry(read, Number(name), hasAll ? since : undefined);
            case 'changes':
                return (0, mirror_files_ts_1.openFile)(read, `changes/${searchParams.get('until')}.ndjson`);
            case 'catalogue':
                return Response.json({ data: Object.keys(datasets).map((dataset) => ({ name: dataset })) });
            case 'exports':
                return openExport(read, kind.replace(/\.ndjson$/, ''), asOf);
            default:
                throw createMissingError(target);
        }
    };
    return { revision, since, open };
}
/** A cache may have an older `latest.json` than was read before; other files are as they were. */
async function findNewest(read, seen) {
    const latest = await (0, mirror_files_ts_1.readLatest)(read);
    if (latest >= seen)
        return latest;
    const { status } = await read(`revisions/${seen}/manifest.json`);
    return status === 200 ? seen : latest;
}
/** Verifies a mirror as `verifyLedger` verifies a service. */
async function verifyMirror(read, options = {}) {
    const { since, open } = await openMirror(read, options.state?.checkpoint);
    return (await Promise.resolve().then(() => __importStar(require('../ledger/verify.js')))).verifyLedger(open, options, since);
}
function createMissingError(path) {
    return new errors_ts_1.TenorError('not_found', `the mirror has no ${path}`, { url: path, status: 404 });
}
/** Of a revision, with the instant at which it was published; by default of the newest. */
async function openCheckpoint(read, newest, size, kept) {
    const revision = Number(size ?? newest);
    // Files of a later one may be there already.
    if (revision > newest)
        throw createMissingError(`checkpoint of ${revision} revisions`);
    const response = await (0, mirror_files_ts_1.openFile)(read, `revisions/${revision}/checkpoint`);
    if (size === null) {
        const note = await response.text();
        return new Response(kept && getText(note) === getText(kept) ? kept : note);
    }
    const { publishedAt } = await (0, mirror_files_ts_1.readManifest)(read, revision);
    return new Response(response.body, { headers: { 'tenor-published-at': publishedAt } });
}
/** The text of a note, without its signatures. */
function getText(note) {
    return note.slice(0, note.lastIndexOf('\n\n'));
}
/** An entry that is not there is of a dataset that the mirror leaves out, unless it has all. */
async function openEntry(read, revision, since = Number.POSITIVE_INFINITY) {
    const path = `revisions/${revision}/entry.json`;
    return (0, mirror_files_ts_1.openFile)(read, path).catch((cause) => {
        if (cause.status !== 404 || revision >= since)
            throw cause;
        throw new errors_ts_1.TenorError('forbidden', cause.message, { url: cause.url, status: 403 });
    });
}
async function openExport(read, dataset, revision) {
    const { datasets } = await (0, mirror_files_ts_1.readManifest)(read, revision);
    const files = (0, find_own_ts_1.findOwn)(datasets, dataset);
    if (!files)
        throw createMissingError(`records of ${dataset}`);
    const batches = readFileRecords(read, dataset, files.files);
    const encoder = new TextEncoder();
    const body = new ReadableStream({
        async pull(controller) {
            const { done, value = [] } = await batches.next();
            if (done)
                controller.close();
            else
                controller.enqueue(encoder.encode(value.map(toLine).join('')));
        },
    });
    return new Response(body);
}
function toLine(record) {
    return `${JSON.stringify(record)}\n`;
}
/** The records of data files, one file after the other; the next ones are read meanwhile. */
async function* readFileRecords(read, dataset, files, { readAhead = 3, selectRows } = {}) {
    if (files.length === 0)
        return;
    // Verifying the log alone needs no Parquet.
    const { readTable } = await Promise.resolve().then(() => __importStar(require('./read-table.js')));
    const ahead = [];
    for (const index of files.keys()) {
        for (const path of files.slice(index + ahead.length, index + 1 + readAhead)) {
            const bytes = (0, mirror_files_ts_1.readDataFile)(read, path, dataset);
            // It is not waited for where an earlier one cannot be read.
            bytes.catch(() => { });
            ahead.push(bytes);
        }
        const { columns, rows } = await readTable((await ahead.shift()), dataset);
        const selected = selectRows ? rows.filter(selectRows(columns)) : rows;
        yield (0, restore_records_ts_1.restoreRecords)(dataset, columns, selected);
    }
}
