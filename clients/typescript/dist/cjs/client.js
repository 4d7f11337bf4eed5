"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Tenor = void 0;
const accept_datetime_ts_1 = require("./accept-datetime.js");
const build_url_ts_1 = require("./build-url.js");
const changes_ts_1 = require("./changes.js");
const connection_ts_1 = require("./connection.js");
const corrections_ts_1 = require("./corrections.js");
const errors_ts_1 = require("./errors.js");
const follow_ts_1 = require("./follow.js");
const generated_ts_1 = require("./generated.js");
const options_ts_1 = require("./options.js");
const paged_operation_ts_1 = require("./paged-operation.js");
const revision_ts_1 = require("./revision.js");
/** The page size for reading all records. */
const DEFAULT_PAGE_SIZE = 1_000;
/** A stream of events, and so no operation with data. */
const EVENTS = '/events';
const FORMATS = Object.keys(generated_ts_1.MEDIA_TYPES);
/** A client of one service with one token. */
class Tenor {
    #options;
    #settings;
    #connection;
    /**
     * Quotes of bills and bonds, for a day or a range of days. Without `date`, `from` and `to` only
     * the newest day is read, by `all` and `pages` too: the history of a security needs a `from`.
     */
    quotes;
    /** The revisions: what was published, corrected and retired, newest first. */
    revisions;
    /** One revision with its changes, which come in pages: `all` reads every one. */
    revision;
    /** The old and new versions of records that were corrected or retired, newest first. */
    corrections;
    /** What must be done to a copy of revision `since` to have the newest one. */
    changes;
    constructor(options) {
        this.#options = { ...options };
        this.#settings = (0, options_ts_1.resolveOptions)(options);
        this.#connection = new connection_ts_1.Connection(this.#settings);
        this.quotes = this.#paged('quotes', { limit: DEFAULT_PAGE_SIZE });
        this.revisions = this.#paged('revisions', { limit: DEFAULT_PAGE_SIZE });
        this.revision = (0, revision_ts_1.createRevisionOperation)({
            allPagesDefaults: { limit: DEFAULT_PAGE_SIZE },
            url: (n, parameters) => (0, build_url_ts_1.buildUrl)(this.#settings.base, generated_ts_1.PATHS.revision, parameters, { n }),
            read: (url, options) => this.#connection.read(url, options),
        });
        this.corrections = (0, corrections_ts_1.createCorrections)((dataset) => this.#paged('corrections', { limit: DEFAULT_PAGE_SIZE }, { dataset }));
        this.changes = (0, changes_ts_1.createChanges)((dataset) => 
        // The caller's parameters have the revision.
        this.#paged('changes', { limit: DEFAULT_PAGE_SIZE }, { dataset }));
    }
    /** The asset allocation of a fund. An unknown fund is a `TenorError`. */
    fundAllocation(parameters, options) {
        return this.#read('fund-allocation', parameters, {}, options);
    }
    /** A statistical series, newest period first. */
    async series(name, options) {
        return this.#read(assertKnownName(generated_ts_1.SERIES, name), {}, {}, options);
    }
    /** Every dataset the token may read: descriptions, units, coverage, last revision, and when the next data is due. */
    catalogue(options) {
        return this.#read('catalogue', {}, {}, options);
    }
    /** Every security ever quoted. */
    securities(options) {
        return this.#read('securities', {}, {}, options);
    }
    /** Every fund. */
    funds(options) {
        return this.#read('funds', {}, {}, options);
    }
    /**
     * One page of a response in another format, with a `Link` header if more records match. Its body
     * can be streamed.
     */
    async download(name, format, parameters, options = {}) {
        const url = (0, build_url_ts_1.buildUrl)(this.#settings.base, generated_ts_1.PATHS[assertKnownName(generated_ts_1.TABLES, name)], parameters);
        return this.#connection.open(url, generated_ts_1.MEDIA_TYPES[assertKnownName(FORMATS, format)], options);
    }
    /** A whole dataset, from one revision. Its body can be streamed. */
    async export(name, format, options = {}) {
        const url = (0, build_url_ts_1.buildUrl)(this.#settings.base, generated_ts_1.EXPORTS, {}, { file: `${name}.${format}` });
        return this.#connection.open(url, generated_ts_1.MEDIA_TYPES[assertKnownName(FORMATS, format)], options);
    }
    /**
     * Each revision as it is published, without end: from `/events`, connecting again when that ends,
     * or by polling where a service or proxy has none. Errors that do not pass are thrown.
     */
    follow(options = {}) {
        const { base } = this.#settings;
        return (0, follow_ts_1.followRevisions)({
            openEvents: (after, signal) => this.#connection.openEvents((0, build_url_ts_1.buildUrl)(base, EVENTS), after, signal),
            readRevisions: async (signal) => (await this.revisions({ limit: DEFAULT_PAGE_SIZE }, { signal })).data,
        }, options);
    }
    /**
     * The same client, reading all data as of that instant, or as of the end of that day.
     * Revisions are always the current ones.
     */
    asOf(instant) {
        const client = new Tenor(this.#options);
        client.#connection = this.#connection.withInstant((0, accept_datetime_ts_1.toAcceptDatetime)(instant));
        return client;
    }
    #paged(name, allPagesDefaults, segments = {}) {
        return (0, paged_operation_ts_1.createPagedOperation)({
            allPagesDefaults,
            url: (parameters) => (0, build_url_ts_1.buildUrl)(this.#settings.base, generated_ts_1.PATHS[name], parameters, segments),
            read: async (url, options) => {
                const { data, meta } = await this.#connection.read(url, options);
                if (Array.isArray(data))
                    return { data, meta };
                const { requestId } = meta;
                throw new errors_ts_1.TenorError('malformed', 'the response is not a list', {
                    url: url.href,
                    requestId,
                });
            },
        });
    }
    async #read(name, parameters, segments, options = {}) {
        const url = (0, build_url_ts_1.buildUrl)(this.#settings.base, generated_ts_1.PATHS[name], parameters, segments);
        return (await this.#connection.read(url, options));
    }
}
exports.Tenor = Tenor;
/** Rejects unknown names, which the type checker cannot do for JavaScript. */
function assertKnownName(names, name) {
    if (names.includes(name))
        return name;
    throw new TypeError(`there is no "${String(name)}"; there are ${names.join(', ')}`);
}
