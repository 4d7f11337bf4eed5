"use strict";
var __createBinding = (this && this.__createBinding) || (Object.create ? (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    var desc = Object.getOwnPropertyDescriptor(m, k);
    if (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) {
      desc = { enumerable: true, get: function() { return m[k]; } };
    }
    Object.defineProperty(o, k2, desc);
}) : (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    o[k2] = m[k];
}));
var __setModuleDefault = (this && this.__setModuleDefault) || (Object.create ? (function(o, v) {
    Object.defineProperty(o, "default", { enumerable: true, value: v });
}) : function(o, v) {
    o["default"] = v;
});
var __importStar = (this && this.__importStar) || (function () {
    var ownKeys = function(o) {
        ownKeys = Object.getOwnPropertyNames || function (o) {
            var ar = [];
            for (var k in o) if (Object.prototype.hasOwnProperty.call(o, k)) ar[ar.length] = k;
            return ar;
        };
        return ownKeys(o);
    };
    return function (mod) {
        if (mod && mod.__esModule) return mod;
        var result = {};
        if (mod != null) for (var k = ownKeys(mod), i = 0; i < k.length; i++) if (k[i] !== "default") __createBinding(result, mod, k[i]);
        __setModuleDefault(result, mod);
        return result;
    };
})();
Object.defineProperty(exports, "__esModule", { value: true });
exports.Tenor = void 0;
const aligned_ts_1 = require("./aligned.js");
const as_of_ts_1 = require("./as-of.js");
const buffer_response_ts_1 = require("./buffer-response.js");
const build_url_ts_1 = require("./build-url.js");
const connection_ts_1 = require("./connection.js");
const dataset_ts_1 = require("./dataset.js");
const errors_ts_1 = require("./errors.js");
const follow_ts_1 = require("./follow.js");
const generated_ts_1 = require("./generated.js");
const operation_types_ts_1 = require("./operation-types.js");
const options_ts_1 = require("./options.js");
const paged_operation_ts_1 = require("./paged-operation.js");
const revision_ts_1 = require("./revision.js");
const symbol_batches_ts_1 = require("./symbol-batches.js");
const vintage_matrix_ts_1 = require("./vintage-matrix.js");
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
    #asOf = {};
    /**
     * Quotes of bills and bonds, for a day or a range of days. Without `date`, `from` and `to` only
     * the newest day is read, by `all` and `pages` too: the history of a security needs a `from`.
     * `symbol` is one, or up to 50; `all` takes any number, and reads them from one revision.
     */
    quotes;
    /**
     * The yield curve of a market: on up to 12 days, through time by `from` or `to`, which `all` reads
     * to its end, or by default on the newest day.
     */
    curve;
    /** Accrued interest, yield, durations, convexity and spread of quotes, selected like these. */
    analytics;
    /** Every dataset the token may read: descriptions, units, coverage, last revision, and when the next data is due. */
    catalogue;
    /** Every security ever quoted, or those with the text `q`; all of them without a `limit`. */
    securities;
    /** Every fund, or those with the text `q`; all of them without a `limit`. */
    funds;
    /**
     * The records of any series or declared dataset by its name, by period and dimension values;
     * aggregated to a `frequency`, and as changes or growth by `units`.
     */
    dataset;
    /** Figures of several datasets, securities and curves in one table by period, newest first. */
    aligned;
    /** The revisions: what was published, corrected and retired, newest first. */
    revisions;
    /** One revision with its changes, which come in pages: `all` reads every one. */
    revision;
    /** The old and new versions of records that were corrected or retired, newest first. */
    corrections;
    /** Every published state of the records of a dataset; `matrix` has a column for each revision. */
    vintages;
    /** The changes that make a copy of revision `since` one of the newest revision. */
    changes;
    /** URL and token are by default those of TENOR_URL and TENOR_TOKEN, on Node, Bun and Deno. */
    constructor(options = {}) {
        this.#options = { ...options };
        this.#settings = (0, options_ts_1.resolveOptions)(options);
        this.#connection = new connection_ts_1.Connection(this.#settings);
        const limit = DEFAULT_PAGE_SIZE;
        this.quotes = (0, symbol_batches_ts_1.withSymbolBatches)(this.#paged('quotes', { limit }), (revision) => this.asOf(revision).quotes);
        // A limit is for a range only.
        this.curve = this.#paged('curve', {});
        this.analytics = (0, symbol_batches_ts_1.withSymbolBatches)(this.#paged('analytics', { limit }), (revision) => this.asOf(revision).analytics);
        this.catalogue = this.#paged('catalogue', { limit });
        this.securities = this.#paged('securities', { limit });
        this.funds = this.#paged('funds', { limit });
        this.revisions = this.#paged('revisions', { limit });
        this.revision = (0, revision_ts_1.createRevisionOperation)({
            allPagesDefaults: { limit },
            url: (n, parameters) => this.#url('revision', parameters, { n }),
            read: (url, options) => this.#connection.read(url, options),
        });
        // The records of one dataset have its type.
        this.dataset = (0, dataset_ts_1.combineBySubject)((dataset) => this.#pagedPath(dataset_ts_1.DATASET_PATH, { limit }, { dataset }));
        this.aligned = (0, dataset_ts_1.combineBySubject)((columns) => this.#pagedPath(generated_ts_1.PATHS.aligned, { limit }, {}, (parameters) => (0, aligned_ts_1.formatAlignedQuery)(columns, parameters)));
        const vintages = (0, dataset_ts_1.combineBySubject)((dataset) => this.#pagedPath(generated_ts_1.PATHS.vintages, { limit }, { dataset }));
        this.vintages = Object.assign(vintages, {
            matrix: async (dataset, parameters, options) => {
                const states = await this.vintages.all(dataset, { ...parameters }, options).toArray();
                return (0, vintage_matrix_ts_1.buildVintageMatrix)(dataset, states, options?.measures);
            },
        });
        this.corrections = (0, dataset_ts_1.combineBySubject)((dataset) => this.#paged('corrections', { limit }, { dataset }));
        this.changes = (0, dataset_ts_1.combineBySubject)((dataset) => 
        // The caller's parameters have the revision.
        this.#paged('changes', { limit }, { dataset }));
    }
    /** The asset allocation of a fund. An unknown fund is a `TenorError`. */
    fundAllocation(parameters, options) {
        return this.#read('fund-allocation', parameters, {}, options);
    }
    /** A statistical series, newest period first. */
    async series(name, options) {
        return this.#read((0, operation_types_ts_1.assertKnownName)(generated_ts_1.SERIES, name), {}, {}, options);
    }
    /** The payments that a security is still to make, by its newest quote or that of a date. */
    cashflows(parameters, options) {
        return this.#read('cashflows', parameters, {}, options);
    }
    /** Any operation by its name; names in its path, such as `dataset`, are parameters too. */
    async query(name, parameters, options) {
        const path = generated_ts_1.PATHS[(0, operation_types_ts_1.assertKnownName)(Object.keys(generated_ts_1.PATHS), name)];
        const [query, segments] = (0, operation_types_ts_1.splitPathParameters)(path, parameters);
        return this.#read(name, query, segments, options);
    }
    /**
     * One page of a response in another format, with a `Link` header if more records match. Its body
     * can be streamed. Names in its path, such as `dataset`, are parameters too.
     */
    async download(name, format, parameters, options = {}) {
        const path = name === 'dataset' ? dataset_ts_1.DATASET_PATH : generated_ts_1.PATHS[(0, operation_types_ts_1.assertKnownName)(generated_ts_1.TABLES, name)];
        const url = this.#pathUrl(path, ...(0, operation_types_ts_1.splitPathParameters)(path, parameters));
        return this.#connection.open(url, generated_ts_1.MEDIA_TYPES[(0, operation_types_ts_1.assertKnownName)(FORMATS, format)], options);
    }
    /** A whole dataset, from one revision. Its body can be streamed. */
    async export(name, format, options = {}) {
        const { base } = this.#settings;
        const url = (0, build_url_ts_1.buildUrl)(base, generated_ts_1.EXPORTS, this.#asOfParameter(), { file: `${name}.${format}` });
        return this.#connection.open(url, generated_ts_1.MEDIA_TYPES[(0, operation_types_ts_1.assertKnownName)(FORMATS, format)], options);
    }
    /**
     * Each revision as it is published, without end: from `/events`, connecting again when that ends,
     * or by polling where a service or proxy has none. Errors that do not pass are thrown.
     */
    follow(options = {}) {
        const { base } = this.#settings;
        return (0, follow_ts_1.followRevisions)({
            openEvents: (after, signal) => this.#connection.openEvents((0, build_url_ts_1.buildUrl)(base, EVENTS), after, signal),
            readRevisions: async (limit, signal) => (await this.revisions({ limit }, { signal })).data,
            forgetSeenRevision: () => this.#connection.forgetSeenRevision(),
        }, options);
    }
    /**
     * Makes a file the newest copy of a dataset, by the changes since the last call; only where there
     * are files: on Node, Bun and Deno. See `CopySync`.
     */
    async sync(dataset, path) {
        const { CopySync } = await Promise.resolve().then(() => __importStar(require('./copy-sync.js')));
        // What this client has seen must not keep it from a database that was replaced by an older one.
        const source = new Tenor(this.#options);
        source.#asOf = this.#asOf;
        source.#connection = this.#connection.withoutSeenRevision();
        const sync = new CopySync(source, dataset, path);
        return sync.run(() => this.#connection.forgetSeenRevision());
    }
    /**
     * Verifies that the service has not changed what it published: keep the `state` of the result, and
     * give it to the next call. An alarm is a `VerificationError`; a service that only lacks revisions
     * which were verified before is a `TenorError` of the kind `behind`.
     */
    async verify(options = {}) {
        // What this client has seen must not keep it from finding that revisions are gone.
        // Neither must a browser's cache: after a restart, tiles of the log before it are others.
        const settings = this.#settings;
        const fetch = (url, init) => settings.fetch(url, { ...init, cache: 'no-store' });
        const connection = new connection_ts_1.Connection({ ...settings, fetch });
        const open = (path, mediaType) => {
            const send = () => connection.open(new URL(`.${path}`, settings.base), mediaType, {});
            return mediaType === generated_ts_1.MEDIA_TYPES.ndjson ? send() : (0, buffer_response_ts_1.bufferResponse)(send);
        };
        return (await Promise.resolve().then(() => __importStar(require('./ledger/verify.js')))).verifyLedger(open, options);
    }
    /**
     * The same client, reading all data as of that instant, the end of that day or that revision.
     * Anything else throws a `TypeError` at once. Revisions are always the current ones.
     */
    asOf(asOf) {
        const client = new Tenor(this.#options);
        client.#asOf = (0, as_of_ts_1.resolveAsOf)(asOf);
        client.#connection = this.#connection.withInstant(client.#asOf.acceptDatetime ?? '');
        return client;
    }
    /** A ledger has no past; what it says of a revision stays. */
    #asOfParameter(path = '') {
        const { revision } = this.#asOf;
        return revision === undefined || path.startsWith('/revisions') ? {} : { as_of: revision };
    }
    #url(name, parameters, segments) {
        return this.#pathUrl(generated_ts_1.PATHS[name], parameters, segments);
    }
    #pathUrl(path, parameters, segments) {
        const { base } = this.#settings;
        return (0, build_url_ts_1.buildUrl)(base, path, { ...this.#asOfParameter(path), ...parameters }, segments);
    }
    #paged(name, allPagesDefaults, segments = {}) {
        return this.#pagedPath(generated_ts_1.PATHS[name], allPagesDefaults, segments);
    }
    #pagedPath(path, allPagesDefaults, segments, formatQuery = (parameters) => parameters) {
        return (0, paged_operation_ts_1.createPagedOperation)({
            allPagesDefaults,
            url: (parameters) => this.#pathUrl(path, formatQuery(parameters), segments),
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
        const url = this.#url(name, parameters, segments);
        return (await this.#connection.read(url, options));
    }
}
exports.Tenor = Tenor;
