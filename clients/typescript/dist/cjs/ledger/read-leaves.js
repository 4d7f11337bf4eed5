"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.TILE_STEPS = void 0;
exports.readLeaves = readLeaves;
exports.createReadHash = createReadHash;
exports.readDigest = readDigest;
exports.formatTilePath = formatTilePath;
const note_ts_1 = require("./note.js");
const tree_ts_1 = require("./tree.js");
const verification_error_ts_1 = require("./verification-error.js");
const TILE_WIDTH = 256;
const HASH_BYTES = 32;
/** The hashes of all revisions of a log, from its tiles; together they make its root. */
async function readLeaves(open, checkpoint) {
    const { size, root } = checkpoint;
    const leaves = [];
    for (let first = 0; first < size; first += TILE_WIDTH) {
        const width = Math.min(TILE_WIDTH, size - first);
        leaves.push(...(await readTile(open, '0', first / TILE_WIDTH, width)));
    }
    if ((0, tree_ts_1.isSameHash)(await (0, tree_ts_1.hashSubtree)(0, size, createReadHash(leaves)), root))
        return leaves;
    throw (0, verification_error_ts_1.createAlarm)('damaged-tile', `The hashes of the ${size} revisions do not make the hash of the checkpoint, ${(0, note_ts_1.encodeBase64)(root)}.`);
}
/** The hashes of full subtrees over these leaves. */
function createReadHash(leaves) {
    const readHash = async (level, position) => level === 0
        ? leaves[position]
        : (0, tree_ts_1.hashNode)(await readHash(level - 1, 2 * position), await readHash(level - 1, 2 * position + 1));
    return readHash;
}
/** The digest of an entry, which is in the log of that size whether or not the entry may be read. */
async function readDigest(open, revision, size) {
    const position = (revision - 1) % TILE_WIDTH;
    const first = revision - 1 - position;
    const width = Math.min(TILE_WIDTH, size - first);
    return (await readTile(open, 'entries', first / TILE_WIDTH, width))[position];
}
async function readTile(open, kind, index, width) {
    const path = `/${formatTilePath(kind, index, width)}`;
    const bytes = await readBytes(open, path);
    const step = exports.TILE_STEPS[kind];
    if (bytes?.length === width * step)
        return Array.from({ length: width }, (_, position) => bytes.slice((position + 1) * step - HASH_BYTES, (position + 1) * step));
    const problem = bytes ? `has ${bytes.length} bytes, not ${width * step}` : 'is missing';
    throw (0, verification_error_ts_1.createAlarm)('damaged-tile', `The part of the log at ${path} ${problem}.`);
}
async function readBytes(open, path) {
    try {
        const response = await open(path, 'application/octet-stream');
        return new Uint8Array(await response.arrayBuffer());
    }
    catch (cause) {
        if (cause.status !== 404)
            throw cause;
        return undefined;
    }
}
/** The bytes of each hash or entry of a tile; an entry comes after its length in two bytes. */
exports.TILE_STEPS = { '0': HASH_BYTES, entries: HASH_BYTES + 2 };
/** The path of a tile of so many hashes or entries, without a slash before it. */
function formatTilePath(kind, index, width) {
    const partial = width < TILE_WIDTH ? `.p/${width}` : '';
    return `ledger/tile/${kind}/${formatTileIndex(index)}${partial}`;
}
/** An index in groups of three digits, such as `x001/x234/067`. */
function formatTileIndex(index) {
    const last = String(index % 1_000).padStart(3, '0');
    const groups = Math.floor(index / 1_000);
    return groups === 0 ? last : `${formatTileIndex(groups).replace(/\d+$/, 'x$&')}/${last}`;
}
