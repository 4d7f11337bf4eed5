import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
/** Rejects values that would be decoded to more than their number, or to too many bytes. */
export function assertEncodedValues(reader, values) {
    const { encoding, count, element, maxBytes } = values;
    const { view } = reader;
    const remainingBytes = view.byteLength - reader.offset;
    if (remainingBytes === 0)
        return;
    if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY') {
        const width = view.getUint8(reader.offset++);
        assertRuns(reader, { width, count, bytes: remainingBytes - 1 });
    }
    else if (encoding === 'RLE') {
        const bytes = view.getUint32(reader.offset, true);
        reader.offset += 4;
        assertRuns(reader, { width: 1, count, bytes });
    }
    else if (encoding === 'DELTA_BYTE_ARRAY') {
        assertPrefixes(reader, count, maxBytes);
    }
    else if (encoding?.startsWith('DELTA_')) {
        countDeltas(reader);
    }
    else if (encoding === 'BYTE_STREAM_SPLIT' && count * (element.type_length ?? 8) > maxBytes) {
        throw new Error(TOO_LARGE);
    }
}
const TOO_LARGE = 'its values are too large';
/** The last bit-packed run is padded to a multiple of eight values. */
const MAX_PADDING = 504;
/** Rejects runs of more values than there can be. */
export function assertRuns({ view, offset }, { width, count, bytes }) {
    const reader = { view, offset };
    const end = Math.min(offset + bytes, view.byteLength);
    let seen = 0;
    while (reader.offset < end && seen < count) {
        const header = readVarInt(reader);
        const isBitPacked = (header & 1) === 1;
        const length = isBitPacked ? (header >>> 1) * 8 : header >>> 1;
        if (seen + length > count + (isBitPacked ? MAX_PADDING : 0))
            throw new Error('a run has more values than rows');
        reader.offset += isBitPacked ? (header >>> 1) * width : (width + 7) >> 3;
        seen += length;
    }
}
/** The number of values in a list of deltas, nulls not among them; it is made of miniblocks. */
function countDeltas({ view, offset }) {
    const reader = { view, offset };
    readVarInt(reader);
    const miniblocks = readVarInt(reader);
    // A list is made for those of each block.
    if (miniblocks < 0 || miniblocks > view.byteLength)
        throw new Error('it has no valid blocks');
    return readVarInt(reader);
}
/** Each value repeats the beginning of the one before, so that few bytes can be very many. */
function assertPrefixes(reader, count, maxBytes) {
    let bytes = 0;
    for (let list = 0; list < 2; list++) {
        const valueCount = countDeltas(reader);
        if (valueCount < 0 || valueCount > count)
            throw new Error('it has more values than rows');
        const lengths = new Int32Array(valueCount);
        deltaBinaryUnpack(reader, lengths.length, lengths);
        for (const length of lengths)
            bytes += Math.max(0, length);
    }
    if (bytes > maxBytes)
        throw new Error(TOO_LARGE);
}
