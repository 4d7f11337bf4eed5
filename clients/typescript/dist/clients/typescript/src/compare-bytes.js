const SURROGATE = /[\ud800-\udfff]/;
/** Compares two texts by their UTF-8 bytes, which have the order of code points. */
export function compareBytes(a, b) {
    if (a === b)
        return 0;
    if (!SURROGATE.test(a) && !SURROGATE.test(b))
        return a < b ? -1 : 1;
    const [left, right] = [[...a], [...b]];
    for (const [index, character] of left.entries()) {
        const difference = (character.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1);
        if (difference !== 0)
            return difference;
    }
    return left.length - right.length;
}
