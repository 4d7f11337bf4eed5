/**
 * An LRU cache of at most so many characters of bodies. Each client has its own, so that tokens do
 * not share data.
 */
export class ResponseCache {
    #maxCharacters;
    #entries = new Map();
    #characters = 0;
    constructor(maxCharacters) {
        this.#maxCharacters = maxCharacters;
    }
    get(key) {
        const response = this.#entries.get(key);
        if (response) {
            // A map is ordered by insertion: the most recently used entry moves to the end.
            this.#entries.delete(key);
            this.#entries.set(key, response);
        }
        return response;
    }
    set(key, response) {
        this.#remove(key);
        if (response.text.length > this.#maxCharacters)
            return;
        this.#entries.set(key, response);
        this.#characters += response.text.length;
        for (const oldest of this.#entries.keys()) {
            if (this.#characters <= this.#maxCharacters)
                return;
            this.#remove(oldest);
        }
    }
    #remove(key) {
        this.#characters -= this.#entries.get(key)?.text.length ?? 0;
        this.#entries.delete(key);
    }
}
