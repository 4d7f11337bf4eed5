"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.verifyLog = verifyLog;
exports.verifyGrowth = verifyGrowth;
exports.readKeys = readKeys;
exports.openCheckpoint = openCheckpoint;
const errors_ts_1 = require("../errors.js");
const follow_keys_ts_1 = require("./follow-keys.js");
const note_ts_1 = require("./note.js");
const tree_ts_1 = require("./tree.js");
const verification_error_ts_1 = require("./verification-error.js");
/**
 * Verifies the log alone: its checkpoint is signed, it only grew since the last verification, and
 * its newest revision is in it. Throws a `VerificationError` otherwise.
 */
async function verifyLog(open, options = {}) {
    const { log, proveNewest } = await verifyGrowth(open, options);
    await proveNewest();
    return log;
}
/** Verifies that the log only grew. */
async function verifyGrowth(open, options) {
    try {
        return await compareLog(open, options);
    }
    catch (cause) {
        // The key may have been replaced between two requests.
        if (!(cause instanceof verification_error_ts_1.VerificationError))
            throw cause;
        return compareLog(open, options);
    }
}
async function compareLog(open, options) {
    if (!globalThis.crypto?.subtle) {
        const message = 'signatures cannot be verified here: browsers do that on pages of https only';
        throw new errors_ts_1.TenorError('unsupported', message, { url: '' });
    }
    const kept = await parseState(options);
    const { checkpoint: first, ...followed } = await readCheckpoint(open, options);
    const { key, rotatedKeys, restart } = followed;
    // Beyond the last common revision, the logs have nothing to compare.
    const isComparable = kept && kept.size <= (restart?.commonSize ?? kept.size);
    const previous = isComparable ? kept : undefined;
    if (previous)
        assertNotShorter(previous, first);
    const query = previous ? `?from=${previous.size}` : '';
    const proof = await readData(open, `/ledger/proof/${first.size}${query}`, isProof).catch((cause) => {
        if (cause.status !== 404)
            throw cause;
        const message = `The log has no proof for its newest revision, ${first.size}: parts of it are missing.`;
        throw (0, verification_error_ts_1.createAlarm)('damaged-tile', message);
    });
    const checkpoint = await openCheckpoint(proof.checkpoint, key);
    if (!checkpoint)
        throw createUnsignedAlarm(key);
    if (previous)
        await assertGrown(previous, checkpoint, proof);
    const { origin, size } = checkpoint;
    const root = (0, note_ts_1.encodeBase64)(checkpoint.root);
    const verifiedAt = new Date().toISOString();
    const log = {
        ...{ origin, size, root, key, previousSize: previous?.size ?? null },
        isKeyFirstSeen: options.key === undefined && !options.state,
        ...{ rotatedKeys, restart },
        state: { origin, key, size, root, checkpoint: proof.checkpoint, verifiedAt },
    };
    return { log, proveNewest: () => assertIncluded(first, checkpoint, proof) };
}
async function parseState({ state, key }) {
    if (key !== undefined && !(await (0, note_ts_1.parseVerifierKey)(key)))
        throw new TypeError('key must be a verifier key, such as name+12345678+AbCd…');
    if (!state)
        return undefined;
    const root = (0, note_ts_1.decodeBase64)(String(state.root));
    const { name } = (await (0, note_ts_1.parseVerifierKey)(String(state.key))) ?? {};
    if (root?.length === 32 &&
        name === state.origin &&
        Number.isInteger(state.size) &&
        state.size > 0)
        return { size: state.size, root };
    throw new TypeError('state must be the one that an earlier verification returned');
}
/** The signed checkpoint of the log, and the key that the known one led to. */
async function readCheckpoint(open, options) {
    const note = await readNote(open);
    return openWithKnownKey(note, await readKeys(open), options);
}
/** All keys that have signed the log, as the service lists them. */
function readKeys(open) {
    return readData(open, '/ledger/keys', isKeyList);
}
async function openWithKnownKey(note, keys, { state, key: givenKey, acceptRestart }) {
    const knownKey = givenKey ?? state?.key ?? keys.key;
    const known = await openCheckpoint(note, knownKey);
    const followed = known
        ? { key: knownKey, rotatedKeys: [], restart: null }
        : await (0, follow_keys_ts_1.followKeys)(knownKey, keys, state?.key);
    if (!followed) {
        throw (0, verification_error_ts_1.createAlarm)('unknown-key', `The known key, ${knownKey}, has not led to the one that the log is signed with, ${keys.key}: it is the log of another publisher, or was replaced by one.`);
    }
    const { key } = followed;
    const checkpoint = known ?? (await openCheckpoint(note, key));
    if (!checkpoint)
        throw createUnsignedAlarm(key);
    const { origin } = checkpoint;
    // A key that was given may be of another log than the kept one.
    const isOther = state !== undefined && state.origin !== origin;
    const unrelated = isOther ? { origin, commonSize: 0, isSigned: false } : null;
    const restart = followed.restart ?? unrelated;
    if (restart)
        (0, follow_keys_ts_1.assertAccepted)(restart, acceptRestart);
    return { ...followed, restart, checkpoint };
}
/** A checkpoint that the key has signed; undefined otherwise. */
async function openCheckpoint(note, keyText) {
    const key = await (0, note_ts_1.parseVerifierKey)(keyText);
    const text = key && (await (0, follow_keys_ts_1.openSignedNote)(note, key));
    const checkpoint = text === undefined ? undefined : (0, note_ts_1.parseCheckpoint)(text);
    return checkpoint?.origin === key?.name ? checkpoint : undefined;
}
function createUnsignedAlarm(key) {
    return (0, verification_error_ts_1.createAlarm)('unsigned', `The checkpoint of the log is not signed with its key, ${key}.`);
}
function assertNotShorter({ size }, checkpoint) {
    if (checkpoint.size >= size)
        return;
    throw (0, verification_error_ts_1.createAlarm)('shorter', `The log has ${checkpoint.size} revisions, but had ${size} at the last verification: revisions that were published are gone.`);
}
async function assertGrown(previous, { size, root }, { consistency = [] }) {
    const isConsistent = await holds(async () => {
        const args = [previous.size, size, previous.root, decodeHashes(consistency)];
        if (previous.size > size)
            return false;
        const [earlier, later] = await (0, tree_ts_1.computeConsistentRoots)(...args);
        return (0, tree_ts_1.isSameHash)(earlier, previous.root) && (0, tree_ts_1.isSameHash)(later, root);
    });
    if (isConsistent)
        return;
    throw previous.size === size
        ? (0, verification_error_ts_1.createAlarm)('forked', `The log has ${size} revisions as it had at the last verification, but others: someone is shown another history than you.`)
        : (0, verification_error_ts_1.createAlarm)('rewritten', `The log of ${size} revisions does not begin with the ${previous.size} of the last verification: revisions that were published have been changed.`);
}
/** The newest revision of the first checkpoint must be in the log of the second, perhaps newer one. */
async function assertIncluded({ size: revision }, { size, root }, { entry, inclusion }) {
    const isIncluded = await holds(async () => {
        if (revision > size)
            return false;
        const [bytes] = decodeHashes([entry]);
        const leaf = await (0, tree_ts_1.hashLeaf)(bytes);
        const args = [revision - 1, size, leaf, decodeHashes(inclusion)];
        return (0, tree_ts_1.isSameHash)(await (0, tree_ts_1.computeIncludedRoot)(...args), root);
    });
    if (isIncluded)
        return;
    const message = `Revision ${revision}, the newest, is not in the log.`;
    throw (0, verification_error_ts_1.createAlarm)('missing-entry', message, { revision });
}
/** A proof with too few hashes, too many or malformed ones shows nothing. */
async function holds(check) {
    try {
        return await check();
    }
    catch (cause) {
        if (cause instanceof RangeError)
            return false;
        throw cause;
    }
}
function decodeHashes(texts) {
    return texts.map((text) => {
        const hash = (0, note_ts_1.decodeBase64)(text);
        if (hash?.length !== 32)
            throw new RangeError('not a hash');
        return hash;
    });
}
async function readNote(open) {
    try {
        return await (await open('/ledger/checkpoint', 'text/plain')).text();
    }
    catch (cause) {
        if (cause.status !== 404)
            throw cause;
        throw (0, verification_error_ts_1.createAlarm)('no-log', 'There is no log at this address: a service gets one with its next publication, and its release may be older than logs are.');
    }
}
async function readData(open, path, isValid) {
    const response = await open(path, 'application/json');
    const body = (await response.json().catch(() => null));
    if (body?.data && isValid(body.data))
        return body.data;
    throw new errors_ts_1.TenorError('malformed', `${path} has no response of this service`, { url: path });
}
function isKeyList({ key, keys }) {
    return typeof key === 'string' && Array.isArray(keys) && keys.every(Boolean);
}
function isProof({ checkpoint, inclusion, consistency = [] }) {
    return typeof checkpoint === 'string' && Array.isArray(inclusion) && Array.isArray(consistency);
}
