import { TenorError } from '../../../../src/client/errors.js';
import { RecordStream } from '../../../../src/client/fetch-pages.js';
import { findOwn } from '../../../../src/client/find-own.js';
import { PERIOD_UNITS, RECORD_ORDERS, } from '../../../../src/client/generated.js';
import { createFileReader } from '../../../../src/client/mirror/file-reader.js';
import { openFile, readLatest, readManifest, } from '../../../../src/client/mirror/mirror-files.js';
import { readFileRecords, verifyMirror, } from '../../../../src/client/mirror/open-mirror.js';
import { resolveAsOf } from '../as-of.js';
import { compareKeys, fold } from '../copy-format.js';
import { findRevisionAt } from './find-revision-at.js';
import { planObservations, } from './select-observations.js';
import { selectQuotes } from './select-quotes.js';
/**
 * What was published, from the files of a mirror: `new Mirror('https://…')`. Every revision of it can
 * be read, and a revision always has the same records.
 */
export class Mirror {
    #read;
    #manifests = new Map();
    constructor(url, options = {}) {
        this.#read = createFileReader(url, options);
    }
    /** The newest revision. */
    revision() {
        return readLatest(this.#read);
    }
    /**
     * Quotes of a day or a range of days, by default of the newest day, as a service sends them. By
     * symbols only the months that are needed are read; by ISINs all of them.
     */
    async quotes({ asOf, limit, ...filters } = {}) {
        const { files, months = [] } = await this.#find('quotes', asOf);
        const quotes = await selectQuotes(filters, (isSelected, selectRows) => {
            const selected = files.filter((_, index) => isSelected(months[index] ?? '')).reverse();
            const hasRange = (filters.date ?? filters.from ?? filters.to) !== undefined;
            const options = { selectRows, ...(!hasRange && { readAhead: 0 }) };
            return this.#readFiles('quotes', selected, options);
        });
        return limitTo(limit, quotes);
    }
    /**
     * The records of a series or a declared dataset, by period and dimension values, as they were
     * published: without the status that a service adds to those of its own series.
     */
    async dataset(name, { asOf, limit, ...filters } = {}) {
        const manifest = await this.#getManifest(asOf);
        const { files, months = [] } = getFiles(manifest, name);
        const plan = planObservations(await this.#describe(name, manifest), filters);
        const selected = files.filter((_, index) => plan.isSelected(months[index] ?? ''));
        if (!plan.isOldestFirst)
            selected.reverse();
        const records = [];
        for await (const batch of this.#readFiles(name, selected)) {
            for (const record of plan.select(batch))
                records.push(record);
            if (limit !== undefined && records.length >= limit)
                break;
        }
        return limitTo(limit, records);
    }
    /** The asset allocation of a fund. An unknown fund is a `TenorError`. */
    async fund(id, { asOf } = {}) {
        const name = 'fund-allocation';
        const { files } = await this.#find(name, asOf);
        for await (const funds of this.#readFiles(name, files)) {
            const fund = funds.find(({ fund_id }) => fold(fund_id) === fold(id));
            if (fund)
                return fund;
        }
        throw new TenorError('no_record_found', `the mirror has no fund "${id}"`, { url: name });
    }
    /** Every record of a dataset, in the order of exports. */
    records(name, { asOf } = {}) {
        return new RecordStream(() => this.#readPages(name, asOf));
    }
    /** The revisions whose datasets the mirror has, newest first. */
    async revisions({ limit = Infinity, } = {}) {
        const { revision, since = 1 } = await this.#getManifest(undefined);
        const found = [];
        for (let last = revision; last >= since && found.length < limit; last -= READ_AT_ONCE) {
            const count = Math.min(READ_AT_ONCE, last - since + 1);
            const entries = Array.from({ length: count }, (_, index) => this.#readEntry(last - index));
            for (const entry of await Promise.all(entries))
                if (entry)
                    found.push(entry);
        }
        return found.slice(0, limit);
    }
    /** Verifies that the mirror has what was published, as `verify` of a service does. */
    verify(options) {
        return verifyMirror(this.#read, options);
    }
    async *#readPages(name, asOf) {
        const { files, months } = await this.#find(name, asOf);
        // Holidays are by calendar, others by period: the newest first.
        const isByPeriod = months !== undefined && name !== 'holidays';
        const batches = this.#readFiles(name, isByPeriod ? [...files].reverse() : files);
        if (name === 'holidays') {
            const data = [];
            for await (const batch of batches)
                data.push(...batch);
            yield { data: data.sort(compareHolidays) };
        }
        else
            for await (const data of batches)
                yield { data };
    }
    async #readEntry(revision) {
        try {
            const response = await openFile(this.#read, `revisions/${revision}/entry.json`);
            const entry = (await response.json());
            const { report: _, options: __, salt: ___, changes: ____, ...listed } = entry;
            return listed;
        }
        catch (cause) {
            if (cause.status !== 404)
                throw cause;
            return undefined;
        }
    }
    async #find(name, asOf) {
        return getFiles(await this.#getManifest(asOf), name);
    }
    async #getManifest(asOf) {
        const resolved = asOf === undefined ? {} : resolveAsOf(asOf);
        const newest = await this.#readManifest(await readLatest(this.#read));
        const getManifest = (revision) => this.#readManifest(revision);
        const { acceptDatetime } = resolved;
        if (acceptDatetime !== undefined)
            return findRevisionAt(acceptDatetime, newest, getManifest);
        const { since = 1 } = newest;
        const { revision = newest.revision } = resolved;
        if (revision >= since && revision <= newest.revision)
            return this.#readManifest(revision);
        const message = `the mirror has no revision ${revision}; it has ${since} to ${newest.revision}`;
        throw new TenorError('not_found', message, { url: `revisions/${revision}`, status: 404 });
    }
    /** They never change. */
    #readManifest(revision) {
        const known = this.#manifests.get(revision);
        if (known)
            return known;
        const manifest = readManifest(this.#read, revision);
        this.#manifests.set(revision, manifest);
        manifest.catch(() => this.#manifests.delete(revision));
        return manifest;
    }
    /** Series of the service have known periods; others are as their publisher has declared them. */
    async #describe(name, manifest) {
        const unit = findOwn(PERIOD_UNITS, name);
        if (unit !== undefined)
            return { name, kind: { unit, yearStart: null }, dimensions: [] };
        const { files } = manifest.datasets.datasets ?? { files: [] };
        for await (const declarations of this.#readFiles('datasets', files)) {
            const declared = declarations.find((declaration) => declaration.name === name);
            if (!declared)
                continue;
            const { period, dimensions } = declared;
            const kind = { unit: period.kind, yearStart: period.yearStart ?? 1 };
            return { name, kind, dimensions: (dimensions ?? []).map(({ field }) => field) };
        }
        throw new TypeError(`${name} is no series: read it with quotes(), fund() or records()`);
    }
    #readFiles(dataset, files, options) {
        const batches = readFileRecords(this.#read, dataset, files, options);
        return batches;
    }
}
const READ_AT_ONCE = 8;
function getFiles({ revision, datasets }, name) {
    const files = findOwn(datasets, name);
    if (files)
        return files;
    const known = Object.keys(datasets).join(', ');
    const message = `the mirror has no dataset "${name}" at revision ${revision}; it has ${known}`;
    throw new TenorError('not_found', message, { url: `revisions/${revision}`, status: 404 });
}
function compareHolidays(a, b) {
    const order = RECORD_ORDERS.holidays;
    const getKey = (holiday) => order.map(([field]) => holiday[field]);
    return compareKeys(getKey(a), getKey(b), order);
}
function limitTo(limit, records) {
    if (limit === undefined)
        return records;
    if (Number.isSafeInteger(limit) && limit >= 1)
        return records.slice(0, limit);
    throw new TypeError('limit must be a whole number from 1');
}
