"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createResponseCache = createResponseCache;
/** An LRU cache of at most so many characters of bodies. */
function createResponseCache(maxCharacters) {
    const entries = new Map();
    let characters = 0;
    const remove = (key) => {
        characters -= entries.get(key)?.text.length ?? 0;
        entries.delete(key);
    };
    return {
        get(key) {
            const response = entries.get(key);
            if (response) {
                // A map is ordered by insertion: the most recently used entry moves to the end.
                entries.delete(key);
                entries.set(key, response);
            }
            return response;
        },
        set(key, response) {
            remove(key);
            if (response.text.length > maxCharacters)
                return;
            entries.set(key, response);
            characters += response.text.length;
            for (const oldest of entries.keys()) {
                if (characters <= maxCharacters)
                    return;
                remove(oldest);
            }
        },
    };
}
