import { listKeyFields } from './list-key-fields.js';
import { createAlarm } from './verification-error.js';
const MAX_NAMED = 3;
/** A source may send records without end. */
const MAX_DIFFERENCES = 1_000;
const MAX_KEY_CHARACTERS = 200;
/** The records of a dataset that its changes make, one after the other. */
export class DatasetFold {
    #dataset;
    #records = new Map();
    constructor(dataset) {
        this.#dataset = dataset;
    }
    /** Begins with records as they are. */
    async begin(lines) {
        for await (const line of lines) {
            const record = parseObject(line);
            this.#records.set(this.#getKey(record), normalizeRecord(record));
        }
    }
    /** Applies the changes of a revision. */
    apply(lines) {
        const replacements = [];
        for (const line of lines) {
            const { change, record } = parseObject(line);
            if (change === 'retired')
                this.#records.delete(this.#getKey(record));
            else
                replacements.push(record);
        }
        for (const record of replacements)
            this.#records.set(this.#getKey(record), normalizeRecord(record));
    }
    /** Compares an export with the records, and returns how many there are. Throws if they differ. */
    async compare(lines) {
        const { size } = this.#records;
        const missing = new Set(this.#records.keys());
        const differences = [];
        for await (const line of lines) {
            const record = parseObject(line);
            const key = this.#getKey(record);
            const published = this.#records.get(key);
            if (!missing.delete(key))
                differences.push(`${formatKey(key)} was never published`);
            else if (published !== normalizeRecord(record))
                differences.push(`${formatKey(key)} has other values`);
            if (differences.length >= MAX_DIFFERENCES)
                break;
        }
        for (const key of missing)
            differences.push(`${formatKey(key)} is missing`);
        if (differences.length === 0)
            return size;
        const named = differences.slice(0, MAX_NAMED);
        const remaining = differences.length - named.length;
        if (remaining > 0)
            named.push(`and ${remaining} more`);
        throw createAlarm('altered-data', `The records of ${this.#dataset} that the service sends are not those that were published: ${named.join('; ')}.`, { dataset: this.#dataset });
    }
    #getKey(record = {}) {
        // The other texts of a fund are no part of its key.
        const fields = this.#dataset === 'fund-allocation' ? ['fund_id'] : listKeyFields(this.#dataset, record);
        return JSON.stringify(fields.map((field) => record[field]));
    }
}
/** A line that is no object is no record that was published. */
function parseObject(line) {
    try {
        return Object(JSON.parse(line));
    }
    catch {
        return {};
    }
}
function formatKey(key) {
    return JSON.parse(key).join('/').slice(0, MAX_KEY_CHARACTERS);
}
/** A field that is null is the same as none: a dataset may get fields later. */
function normalizeRecord(record = {}) {
    const fields = Object.entries(record).filter(([, value]) => value !== null);
    return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
