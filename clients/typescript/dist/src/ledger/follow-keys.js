import { LedgerError } from './ledger-error.js';
import { openNote, parseVerifierKey } from './note.js';
import { createAlarm } from './verification-error.js';
/** Follows keys from a known one, perhaps by the kept one: each must be signed by the one before it. */
export async function followKeys(knownKey, { keys }, keptKey) {
    let current = await parseVerifierKey(knownKey);
    const start = current && (await findSuccessor(current, knownKey, keys));
    if (start === undefined)
        return undefined;
    const rotatedKeys = [];
    let restart = null;
    for (const listed of keys.slice(start)) {
        const { key, size, note } = listed;
        const next = await parseVerifierKey(key);
        if (!current || !next)
            return undefined;
        const isSigned = await isSignedBy(current, listed);
        const isRestart = next.name !== current.name;
        // Only a lost key signs nothing; a signature that does not fit is none.
        if (!isSigned && !(isRestart && note === null))
            return undefined;
        // A restart that led to the kept key was accepted then; a name alone is anyone’s.
        if (key === keptKey)
            restart = null;
        else if (isRestart)
            restart = combineRestarts(restart, { origin: next.name, commonSize: size, isSigned });
        if (!isRestart)
            rotatedKeys.push(key);
        current = next;
    }
    return { key: keys.at(-1)?.key ?? knownKey, rotatedKeys, restart };
}
/** The position of the key that came after a known one. */
async function findSuccessor(known, text, keys) {
    const position = keys.findIndex(({ key }) => key === text);
    if (position >= 0)
        return position + 1;
    // A restored backup does not list keys of later, but one of them may have signed its restart.
    for (const [index, listed] of keys.entries())
        if (await isSignedBy(known, listed))
            return index;
    return undefined;
}
/** Whether a key has signed that another one takes its place. */
async function isSignedBy(signer, { key, size, note }) {
    const text = note === null ? undefined : await openSignedNote(note, signer);
    return text === `tenor ledger key\n${key}\n${size}\n`;
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
export function assertAccepted(restart, accepted) {
    const { origin, commonSize, isSigned } = restart;
    if (accepted === origin)
        return;
    const signer = isSigned
        ? 'The key of the earlier log has signed that'
        : 'No key of the earlier log has signed that, so it may be anyone’s';
    throw createAlarm('restarted', `The log was begun again as ${origin}, with only the first ${commonSize} revisions of the earlier one. ${signer}. If the publisher gives a good reason, accept it with --accept-restart ${origin} (acceptRestart).`, { restart });
}
/** The text of a note; undefined where the key has not signed it. */
export async function openSignedNote(note, key) {
    try {
        return await openNote(note, key);
    }
    catch (cause) {
        // Bytes that are no key.
        if (cause.name === 'DataError')
            return undefined;
        const message = 'signatures cannot be verified here: this runtime or browser has no Ed25519';
        throw new LedgerError('unsupported', message, '', { cause });
    }
}
