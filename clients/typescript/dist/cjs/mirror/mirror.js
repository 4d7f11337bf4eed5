"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Mirror = void 0;
const as_of_ts_1 = require("../as-of.js");
const copy_format_ts_1 = require("../copy-format.js");
const errors_ts_1 = require("../errors.js");
const fetch_pages_ts_1 = require("../fetch-pages.js");
const find_own_ts_1 = require("../find-own.js");
const generated_ts_1 = require("../generated.js");
const file_reader_ts_1 = require("./file-reader.js");
const find_revision_at_ts_1 = require("./find-revision-at.js");
const mirror_files_ts_1 = require("./mirror-files.js");
const open_mirror_ts_1 = require("./open-mirror.js");
const select_observations_ts_1 = require("./select-observations.js");
const select_quotes_ts_1 = require("./select-quotes.js");
/**
 * What was published, from the files of a mirror: `new Mirror('https://…')`. Every revision of it can
 * be read, and a revision always has the same records.
 */
class Mirror {
    #read;
    #manifests = new Map();
    constructor(url, options = {}) {
        this.#read = (0, file_reader_ts_1.createFileReader)(url, options);
    }
    /** The newest revision. */
    revision() {
        return (0, mirror_files_ts_1.readLatest)(this.#read);
    }
    /**
     * Quotes of a day or a range of days, by default of the newest day, as a service sends them. By
     * symbols only the months that are needed are read; by ISINs all of them.
     */
    async quotes({ asOf, limit, ...filters } = {}) {
        const { files, months = [] } = await this.#find('quotes', asOf);
        const quotes = await (0, select_quotes_ts_1.selectQuotes)(filters, (isSelected, selectRows) => {
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
        const plan = (0, select_observations_ts_1.planObservations)(await this.#describe(name, manifest), filters);
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
            const fund = funds.find(({ fund_id }) => (0, copy_format_ts_1.fold)(fund_id) === (0, copy_format_ts_1.fold)(id));
            if (fund)
                return fund;
        }
        throw new errors_ts_1.TenorError('no_record_found', `the mirror has no fund "${id}"`, { url: name });
    }
    /** Every record of a dataset, in the order of exports. */
    records(name, { asOf } = {}) {
        return new fetch_pages_ts_1.RecordStream(() => this.#readPages(name, asOf));
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
        return (0, open_mirror_ts_1.verifyMirror)(this.#read, options);
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
            const response = await (0, mirror_files_ts_1.openFile)(this.#read, `revisions/${revision}/entry.json`);
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
        const resolved = asOf === undefined ? {} : (0, as_of_ts_1.resolveAsOf)(asOf);
        const newest = await this.#readManifest(await (0, mirror_files_ts_1.readLatest)(this.#read));
        const getManifest = (revision) => this.#readManifest(revision);
        const { acceptDatetime } = resolved;
        if (acceptDatetime !== undefined)
            return (0, find_revision_at_ts_1.findRevisionAt)(acceptDatetime, newest, getManifest);
        const { since = 1 } = newest;
        const { revision = newest.revision } = resolved;
        if (revision >= since && revision <= newest.revision)
            return this.#readManifest(revision);
        const message = `the mirror has no revision ${revision}; it has ${since} to ${newest.revision}`;
        throw new errors_ts_1.TenorError('not_found', message, { url: `revisions/${revision}`, status: 404 });
    }
    /** They never change. */
    #readManifest(revision) {
        const known = this.#manifests.get(revision);
        if (known)
            return known;
        const manifest = (0, mirror_files_ts_1.readManifest)(this.#read, revision);
        this.#manifests.set(revision, manifest);
        manifest.catch(() => this.#manifests.delete(revision));
        return manifest;
    }
    /** Series of the service have known periods; others are as their publisher has declared them. */
    async #describe(name, manifest) {
        const unit = (0, find_own_ts_1.findOwn)(generated_ts_1.PERIOD_UNITS, name);
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
        const batches = (0, open_mirror_ts_1.readFileRecords)(this.#read, dataset, files, options);
        return batches;
    }
}
exports.Mirror = Mirror;
const READ_AT_ONCE = 8;
function getFiles({ revision, datasets }, name) {
    const files = (0, find_own_ts_1.findOwn)(datasets, name);
    if (files)
        return files;
    const known = Object.keys(datasets).join(', ');
    const message = `the mirror has no dataset "${name}" at revision ${revision}; it has ${known}`;
    throw new errors_ts_1.TenorError('not_found', message, { url: `revisions/${revision}`, status: 404 });
}
function compareHolidays(a, b) {
    const order = generated_ts_1.RECORD_ORDERS.holidays;
    const getKey = (holiday) => order.map(([field]) => holiday[field]);
    return (0, copy_format_ts_1.compareKeys)(getKey(a), getKey(b), order);
}
function limitTo(limit, records) {
    if (limit === undefined)
        return records;
    if (Number.isSafeInteger(limit) && limit >= 1)
        return records.slice(0, limit);
    throw new TypeError('limit must be a whole number from 1');
}
