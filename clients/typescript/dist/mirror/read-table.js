import { TenorError } from '../errors.js';
/** The columns and rows of a Parquet file: days are texts such as `2026-05-31`, integers numbers. */
export async function readTable(bytes) {
    const { parquetMetadataAsync, parquetRead, parquetSchema } = await loadParquetReader();
    const decompress = await loadDecompressor();
    const file = { byteLength: bytes.byteLength, slice: bytes.slice.bind(bytes) };
    const metadata = await parquetMetadataAsync(file);
    const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
    const rows = [];
    await parquetRead({
        ...{ file, metadata },
        compressors: {
            // A page of nulls has no bytes, which no decompressor accepts.
            ZSTD: (page, size) => (size === 0 ? new Uint8Array() : decompress(page)),
        },
        parsers: { dateFromDays: formatDay, stringFromBytes: (text) => utf8.decode(text) },
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
        return (await import('fzstd')).decompress;
    }
    catch (cause) {
        throw createMissingPackageError('fzstd', cause);
    }
}
async function loadParquetReader() {
    try {
        return await import('hyparquet');
    }
    catch (cause) {
        throw createMissingPackageError('hyparquet', cause);
    }
}
function createMissingPackageError(name, cause) {
    const message = `the data of a mirror is read with the package ${name}, which is not installed: npm install ${name}`;
    return new TenorError('unsupported', message, { url: '' }, { cause });
}
/** The default would drop a byte order mark. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const DAY_MS = 86_400_000;
function formatDay(days) {
    return new Date(days * DAY_MS).toISOString().slice(0, 10);
}
function toPlainValue(value) {
    return typeof value === 'bigint' ? Number(value) : value;
}
