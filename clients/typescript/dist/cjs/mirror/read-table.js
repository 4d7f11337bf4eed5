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
exports.readTable = readTable;
const errors_ts_1 = require("../errors.js");
const period_ts_1 = require("./period.js");
/** Of one file; a row takes as much as some values. */
const [MAX_VALUES, ROW_VALUES, MAX_BYTES] = [33_554_432, 8, 536_870_912];
/** The columns and rows of a Parquet file: days are texts such as `2026-05-31`, integers numbers. */
async function readTable(bytes, dataset) {
    const parquet = await loadParquetReader();
    const decompress = await loadDecompressor();
    try {
        return await parseTable(bytes, parquet, decompress);
    }
    catch (cause) {
        const message = `a file with records of ${dataset} cannot be read: ${cause.message}`;
        throw new errors_ts_1.TenorError('malformed', message, { url: '' }, { cause });
    }
}
async function parseTable(bytes, { parquetMetadataAsync, parquetRead, parquetSchema, ...bounds }, decompress) {
    // A page of nulls has no bytes, which no decompressor accepts.
    const inflate = (page, size) => size === 0 ? new Uint8Array() : decompress(page, { maxOutputLength: size });
    const file = { byteLength: bytes.byteLength, slice: bytes.slice.bind(bytes) };
    const metadata = await parquetMetadataAsync(file);
    bounds.assertFooterBounds(metadata);
    const count = metadata.row_groups.reduce((sum, { num_rows }) => sum + Number(num_rows), 0);
    if (count * (metadata.schema.length + ROW_VALUES) > MAX_VALUES)
        throw new RangeError(`${count} rows are more than are read of one file`);
    let maxGroupBytes = MAX_BYTES;
    for (const group of metadata.row_groups) {
        const bounded = {
            ...file,
            decompress: (codec, page, size) => codec === 'UNCOMPRESSED' ? page : inflate(page, size),
            maxGroupBytes,
        };
        maxGroupBytes -= bounds.assertGroupBounds(bounded, group, metadata.schema);
    }
    const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
    const rows = [];
    await parquetRead({
        ...{ file, metadata },
        compressors: {
            ZSTD: inflate,
        },
        parsers: { dateFromDays: period_ts_1.formatDay, stringFromBytes: (text) => utf8.decode(text) },
        onComplete: (read) => {
            for (const row of read)
                rows.push(row.map(toPlainValue));
        },
    });
    return { columns, rows };
}
/** That of the runtime, or a package: browsers and Node before 22.15 have none. */
async function loadDecompressor() {
    const { process } = globalThis;
    const builtIn = process?.getBuiltinModule?.('node:zlib').zstdDecompressSync;
    if (builtIn)
        return builtIn;
    // Bundlers allow a package in `try` not to be there.
    try {
        const { decompress } = await Promise.resolve().then(() => __importStar(require('fzstd')));
        return (bytes, { maxOutputLength }) => decompress(bytes, new Uint8Array(maxOutputLength));
    }
    catch (cause) {
        throw createMissingPackageError('fzstd', cause);
    }
}
async function loadParquetReader() {
    try {
        return { ...(await Promise.resolve().then(() => __importStar(require('hyparquet')))), ...(await Promise.resolve().then(() => __importStar(require('./page-bounds.js')))) };
    }
    catch (cause) {
        throw createMissingPackageError('hyparquet', cause);
    }
}
function createMissingPackageError(name, cause) {
    const message = `the data of a mirror is read with the package ${name}, which is not installed: npm install ${name}`;
    return new errors_ts_1.TenorError('unsupported', message, { url: '' }, { cause });
}
/** The default would drop a byte order mark. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
function toPlainValue(value) {
    return typeof value === 'bigint' ? Number(value) : value;
}
