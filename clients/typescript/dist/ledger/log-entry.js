import { parseCursor } from '../response-meta.js';
import { hashLeaf, isSameHash, sha256 } from './tree.js';
import { createAlarm } from './verification-error.js';
/** Reads the entry of a revision, which must have that leaf; undefined if the token may not. */
export async function readEntry(open, revision, leaf) {
    const text = await readEntryText(open, revision);
    if (text === undefined)
        return undefined;
    const digest = await sha256(new TextEncoder().encode(text));
    const entry = isSameHash(await hashLeaf(digest), leaf) && JSON.parse(text);
    if (entry && entry.revision === revision)
        return entry;
    throw createAlarm('altered-entry', `What the service says of revision ${revision} (its dataset, instant, source, author or counts) is not what the log has.`, { revision });
}
/** The text whose digest is in the log; undefined if the token may not read it. */
export async function readEntryText(open, revision) {
    try {
        return await (await open(`/ledger/entries/${revision}`, 'application/json')).text();
    }
    catch (cause) {
        const { status } = cause;
        if (status === 403)
            return undefined;
        if (status !== 404)
            throw cause;
        const message = `Revision ${revision} is in the log, but the service does not have it.`;
        throw createAlarm('missing-entry', message, { revision });
    }
}
/** The largest page. */
const PAGE_SIZE = 10_000;
const HASH_BYTES = 32;
/** Reads the changes of a revision as lines, in pages. */
export async function* readChangePages(open, { dataset, revision }) {
    const range = `since=${revision - 1}&until=${revision}&as_of=${revision}`;
    const path = `/changes/${dataset}?${range}&as_stored=true&limit=${PAGE_SIZE}`;
    let cursor;
    do {
        const page = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const response = await open(path + page, 'application/x-ndjson').catch(ignoreMissing);
        yield ((await response?.text()) ?? '').split('\n').filter((line) => line !== '');
        cursor = response && parseCursor(response);
    } while (cursor !== undefined);
}
/** Reads the changes of a revision as lines, which must be those of its entry. */
export async function readChangeLines(open, entry) {
    const { dataset, revision, changes } = entry;
    const lines = [];
    for await (const page of readChangePages(open, entry))
        for (const line of page)
            lines.push(line);
    if ((await digestLines(lines)) === changes && hasCountsOf(entry, lines))
        return lines;
    throw createAlarm('altered-changes', `The ${lines.length} records that the service says revision ${revision} of ${dataset} changed are not those of the log.`, { revision, dataset });
}
export function ignoreMissing(cause) {
    if (cause.status !== 404)
        throw cause;
}
/** SHA-256 over the ascending digests of lines, in hexadecimal. */
export async function digestLines(lines) {
    const encoder = new TextEncoder();
    const digests = [];
    for (let first = 0; first < lines.length; first += PAGE_SIZE) {
        const page = lines.slice(first, first + PAGE_SIZE);
        for (const digest of await Promise.all(page.map((line) => sha256(encoder.encode(line)))))
            digests.push(digest);
    }
    // There may be more of them than a function takes as arguments.
    const bytes = new Uint8Array(digests.length * HASH_BYTES);
    for (const [index, digest] of digests.sort(compareHashes).entries())
        bytes.set(digest, index * HASH_BYTES);
    return toHex(await sha256(bytes));
}
function compareHashes(a, b) {
    for (let index = 0; index < HASH_BYTES; index += 1) {
        const difference = (a[index] ?? 0) - (b[index] ?? 0);
        if (difference !== 0)
            return difference;
    }
    return 0;
}
export function toHex(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
/** A record whose label or letter case was corrected comes as two lines: retired and added. */
function hasCountsOf({ added, corrected, retired }, lines) {
    const count = (change) => lines.filter((line) => line.startsWith(`{"change":"${change}",`)).length;
    const relabelled = corrected - count('corrected');
    return (relabelled >= 0 &&
        count('added') === added + relabelled &&
        count('retired') === retired + relabelled);
}
