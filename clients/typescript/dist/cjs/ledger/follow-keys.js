"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.followKeys = followKeys;
exports.assertAccepted = assertAccepted;
exports.openSignedNote = openSignedNote;
const errors_ts_1 = require("../errors.js");
const note_ts_1 = require("./note.js");
const verification_error_ts_1 = require("./verification-error.js");
/** Follows keys from a known one: each must be signed by the one before it. */
async function followKeys(knownKey, { keys }) {
    const index = keys.findIndex(({ key }) => key === knownKey);
    if (index < 0)
        return undefined;
    const rotatedKeys = [];
    let restart = null;
    let current = await (0, note_ts_1.parseVerifierKey)(knownKey);
    for (const { key, size, note } of keys.slice(index + 1)) {
        const next = await (0, note_ts_1.parseVerifierKey)(key);
        if (!current || !next)
            return undefined;
        const text = note === null ? undefined : await openSignedNote(note, current);
        const isSigned = text === `tenor ledger key\n${key}\n${size}\n`;
        const isRestart = next.name !== current.name;
        // Only a lost key signs nothing; a signature that does not fit is none.
        if (!isSigned && !(isRestart && note === null))
            return undefined;
        if (isRestart)
            restart = combineRestarts(restart, { origin: next.name, commonSize: size, isSigned });
        else
            rotatedKeys.push(key);
        current = next;
    }
    return { key: keys.at(-1)?.key ?? knownKey, rotatedKeys, restart };
}
function combineRestarts(earlier, later) {
    if (!earlier)
        return later;
    return {
        origin: later.origin,
        commonSize: Math.min(earlier.commonSize, later.commonSize),
        isSigned: earlier.isSigned && later.isSigned,
    };
}
/** A restart stops every verifier until a person accepts it. */
function assertAccepted({ origin, commonSize, isSigned }, accepted) {
    if (accepted === origin)
        return;
    const signer = isSigned
        ? 'The key of the earlier log has signed that'
        : 'No key of the earlier log has signed that, so it may be anyone’s';
    throw (0, verification_error_ts_1.createAlarm)('restarted', `The log was begun again as ${origin}, with only the first ${commonSize} revisions of the earlier one. ${signer}. If the publisher gives a good reason, accept it with --accept-restart ${origin} (acceptRestart).`);
}
/** The text of a note; undefined where the key has not signed it. */
async function openSignedNote(note, key) {
    try {
        return await (0, note_ts_1.openNote)(note, key);
    }
    catch (cause) {
        // Bytes that are no key.
        if (cause.name === 'DataError')
            return undefined;
        const message = 'signatures cannot be verified here: this runtime or browser has no Ed25519';
        throw new errors_ts_1.TenorError('unsupported', message, { url: '' }, { cause });
    }
}
