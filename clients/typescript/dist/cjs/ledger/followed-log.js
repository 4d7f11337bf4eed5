"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createState = createState;
exports.openFollowedLog = openFollowedLog;
exports.readFollowedRevisions = readFollowedRevisions;
exports.readSigned = readSigned;
const log_entry_ts_1 = require("./log-entry.js");
const note_ts_1 = require("./note.js");
const read_leaves_ts_1 = require("./read-leaves.js");
const tree_ts_1 = require("./tree.js");
const verification_error_ts_1 = require("./verification-error.js");
const verify_log_ts_1 = require("./verify-log.js");
/** The state of a copy by its newest checkpoint and its keys; undefined where it has none. */
function createState(note = '', keys) {
    const checkpoint = (0, note_ts_1.parseCheckpoint)(note);
    if (!checkpoint)
        return undefined;
    const { origin, size } = checkpoint;
    const { key = '' } = keys.filter((each) => each.key.startsWith(`${origin}+`)).at(-1) ?? {};
    const root = (0, note_ts_1.encodeBase64)(checkpoint.root);
    const earlierKeys = keys.map((each) => each.key);
    return { origin, key, size, root, checkpoint: note, verifiedAt: '', earlierKeys };
}
/** Verifies that a log goes on from the state of a copy. */
async function openFollowedLog(open, options) {
    const { log, readHash } = await (0, verify_log_ts_1.verifyGrowth)(open, { ...options, logOnly: true });
    const { keys } = await (0, verify_log_ts_1.readKeys)(open);
    return { ...log, keys, readHash };
}
/** Revisions, and pages of changes of one, that are read while one is used. */
const [REVISIONS_AHEAD, PAGES_AHEAD] = [4, 3];
/** Reads the revisions from one on, several at a time. */
async function* readFollowedRevisions(open, first, log) {
    const pending = [];
    for (let next = first; next <= log.size || pending.length > 0;) {
        while (next <= log.size && pending.length < REVISIONS_AHEAD) {
            const revision = readFollowedRevision(open, next++, log);
            // It fails when it is awaited, if it ever is.
            revision.catch(() => { });
            pending.push(revision);
        }
        yield (await pending.shift());
    }
}
/** Reads a revision and the first of its changes; the others as they are used. */
async function readFollowedRevision(open, revision, log) {
    const [entry, signed] = await Promise.all([
        (0, log_entry_ts_1.readEntryText)(open, revision),
        readSigned(open, revision, log),
    ]);
    const isReadable = entry !== undefined;
    const digest = isReadable
        ? await (0, tree_ts_1.sha256)(new TextEncoder().encode(entry))
        : await (0, read_leaves_ts_1.readDigest)(open, revision, log.size);
    const leaf = await log.readHash(0, revision - 1);
    if (!(0, tree_ts_1.isSameHash)(await (0, tree_ts_1.hashLeaf)(digest), leaf))
        throw createEntryAlarm(revision);
    if (!isReadable)
        return { revision, ...signed, digest };
    const pages = (0, log_entry_ts_1.readChangePages)(open, { ...parseEntry(entry, revision), revision });
    return { revision, ...signed, entry, lines: await readAhead(pages) };
}
/** The signed note of the log that ends with a revision, and when that was published. */
async function readSigned(open, revision, { size, root, keys }) {
    const response = await open(`/ledger/checkpoint?size=${revision}`, 'text/plain');
    const publishedAt = response.headers.get('tenor-published-at') ?? '';
    const checkpoint = await response.text();
    for (const { key } of keys) {
        const opened = await (0, verify_log_ts_1.openCheckpoint)(checkpoint, key);
        const isOther = revision === size && opened && (0, note_ts_1.encodeBase64)(opened.root) !== root;
        if (opened?.size === revision && !isOther)
            return { checkpoint, publishedAt, keys };
    }
    const message = `The checkpoint of revision ${revision} is not one that a key of the log has signed.`;
    throw (0, verification_error_ts_1.createAlarm)('unsigned', message, { revision });
}
function parseEntry(entry, revision) {
    try {
        return Object(JSON.parse(entry));
    }
    catch {
        throw createEntryAlarm(revision);
    }
}
function createEntryAlarm(revision) {
    const message = `What the source says of revision ${revision} is not what the log has.`;
    return (0, verification_error_ts_1.createAlarm)('altered-entry', message, { revision });
}
/** Waits for the first page, and then reads the next ones while one is used. */
async function readAhead(pages) {
    const pending = [pages.next()];
    await pending[0];
    return (async function* () {
        for (;;) {
            const page = (await pending.shift());
            if (page.done)
                return;
            while (pending.length < PAGES_AHEAD) {
                const next = pages.next();
                next.catch(() => { });
                pending.push(next);
            }
            yield page.value;
        }
    })();
}
