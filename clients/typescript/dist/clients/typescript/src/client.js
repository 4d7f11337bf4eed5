import { formatAlignedQuery } from '../../../src/client/aligned.js';
import { bufferResponse } from '../../../src/client/buffer-response.js';
import { buildUrl } from '../../../src/client/build-url.js';
import { Connection } from '../../../src/client/connection.js';
import { toLogResponse } from '../../../src/client/create-open-path.js';
import { TenorError } from '../../../src/client/errors.js';
import { EXPORTS, MEDIA_TYPES, PATHS, SERIES, TABLES, } from '../../../src/client/generated.js';
import { resolveOptions, } from '../../../src/client/options.js';
import { verify } from '../../../src/client/verify.js';
import { resolveAsOf } from './as-of.js';
import { combineBySubject, DATASET_PATH, } from './dataset.js';
import { followRevisions } from './follow.js';
import { assertKnownName, splitPathParameters, } from './operation-types.js';
import { createPagedOperation } from './paged-operation.js';
import { createRevisionOperation } from './revision.js';
import { withSymbolBatches } from './symbol-batches.js';
import { buildVintageMatrix } from './vintage-matrix.js';
/** The page size for reading all records. */
const DEFAULT_PAGE_SIZE = 1_000;
/** A stream of events, and so no operation with data. */
const EVENTS = '/events';
const FORMATS = Object.keys(MEDIA_TYPES);
/** A client of one service with one token. */
export class Tenor {
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
        this.#settings = resolveOptions(options);
        this.#connection = new Connection(this.#settings);
        const limit = DEFAULT_PAGE_SIZE;
        this.quotes = withSymbolBatches(this.#paged('quotes', { limit }), (revision) => this.asOf(revision).quotes);
        // A limit is for a range only.
        this.curve = this.#paged('curve', {});
        this.analytics = withSymbolBatches(this.#paged('analytics', { limit }), (revision) => this.asOf(revision).analytics);
        this.catalogue = this.#paged('catalogue', { limit });
        this.securities = this.#paged('securities', { limit });
        this.funds = this.#paged('funds', { limit });
        this.revisions = this.#paged('revisions', { limit });
        this.revision = createRevisionOperation({
            allPagesDefaults: { limit },
            url: (n, parameters) => this.#url('revision', parameters, { n }),
            read: (url, options) => this.#connection.read(url, options),
        });
        // The records of one dataset have its type.
        this.dataset = combineBySubject((dataset) => this.#pagedPath(DATASET_PATH, { limit }, { dataset }));
        this.aligned = combineBySubject((columns) => this.#pagedPath(PATHS.aligned, { limit }, {}, (parameters) => formatAlignedQuery(columns, parameters)));
        const vintages = combineBySubject((dataset) => this.#pagedPath(PATHS.vintages, { limit }, { dataset }));
        this.vintages = Object.assign(vintages, {
            matrix: async (dataset, parameters, options) => {
                const states = await this.vintages.all(dataset, { ...parameters }, options).toArray();
                return buildVintageMatrix(dataset, states, options?.measures);
            },
        });
        this.corrections = combineBySubject((dataset) => this.#paged('corrections', { limit }, { dataset }));
        this.changes = combineBySubject((dataset) => 
        // The caller's parameters have the revision.
        this.#paged('changes', { limit }, { dataset }));
    }
    /** The asset allocation of a fund. An unknown fund is a `TenorError`. */
    fundAllocation(parameters, options) {
        return this.#read('fund-allocation', parameters, {}, options);
    }
    /** A statistical series, newest period first. */
    async series(name, options) {
        return this.#read(assertKnownName(SERIES, name), {}, {}, options);
    }
    /** The payments that a security is still to make, by its newest quote or that of a date. */
    cashflows(parameters, options) {
        return this.#read('cashflows', parameters, {}, options);
    }
    /** Any operation by its name; names in its path, such as `dataset`, are parameters too. */
    async query(name, parameters, options) {
        const path = PATHS[assertKnownName(Object.keys(PATHS), name)];
        const [query, segments] = splitPathParameters(path, parameters);
        return this.#read(name, query, segments, options);
    }
    /**
     * One page of a response in another format, with a `Link` header if more records match. Its body
     * can be streamed. Names in its path, such as `dataset`, are parameters too.
     */
    async download(name, format, parameters, options = {}) {
        const path = name === 'dataset' ? DATASET_PATH : PATHS[assertKnownName(TABLES, name)];
        const url = this.#pathUrl(path, ...splitPathParameters(path, parameters));
        return this.#connection.open(url, MEDIA_TYPES[assertKnownName(FORMATS, format)], options);
    }
    /** A whole dataset, from one revision. Its body can be streamed. */
    async export(name, format, options = {}) {
        const { base } = this.#settings;
        const url = buildUrl(base, EXPORTS, this.#asOfParameter(), { file: `${name}.${format}` });
        return this.#connection.open(url, MEDIA_TYPES[assertKnownName(FORMATS, format)], options);
    }
    /**
     * Each revision as it is published, without end: from `/events`, connecting again when that ends,
     * or by polling where a service or proxy has none. Errors that do not pass are thrown.
     */
    follow(options = {}) {
        const { base } = this.#settings;
        return followRevisions({
            openEvents: (after, signal) => this.#connection.openEvents(buildUrl(base, EVENTS), after, signal),
            readRevisions: async (limit, signal) => (await this.revisions({ limit }, { signal })).data,
            forgetSeenRevision: () => this.#connection.forgetSeenRevision(),
        }, options);
    }
    /**
     * Makes a file the newest copy of a dataset, by the changes since the last call; only where there
     * are files: on Node, Bun and Deno. See `CopySync`.
     */
    async sync(dataset, path) {
        const { CopySync } = await import('./copy-sync.js');
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
    verify(options = {}) {
        // What this client has seen must not keep it from finding that revisions are gone.
        // Neither must a browser's cache: after a restart, tiles of the log before it are others.
        const settings = this.#settings;
        const fetch = (url, init) => settings.fetch(url, { ...init, cache: 'no-store' });
        const connection = new Connection({ ...settings, fetch });
        const open = async (path, mediaType) => {
            const send = () => connection.open(new URL(`.${path}`, settings.base), mediaType, {});
            const isStreamed = mediaType === MEDIA_TYPES.ndjson;
            return toLogResponse(await (isStreamed ? send() : bufferResponse(send)));
        };
        return verify(open, options);
    }
    /**
     * The same client, reading all data as of that instant, the end of that day or that revision.
     * Anything else throws a `TypeError` at once. Revisions are always the current ones.
     */
    asOf(asOf) {
        const client = new Tenor(this.#options);
        client.#asOf = resolveAsOf(asOf);
        client.#connection = this.#connection.withInstant(client.#asOf.acceptDatetime ?? '');
        return client;
    }
    /** A ledger has no past; what it says of a revision stays. */
    #asOfParameter(path = '') {
        const { revision } = this.#asOf;
        return revision === undefined || path.startsWith('/revisions') ? {} : { as_of: revision };
    }
    #url(name, parameters, segments) {
        return this.#pathUrl(PATHS[name], parameters, segments);
    }
    #pathUrl(path, parameters, segments) {
        const { base } = this.#settings;
        return buildUrl(base, path, { ...this.#asOfParameter(path), ...parameters }, segments);
    }
    #paged(name, allPagesDefaults, segments = {}) {
        return this.#pagedPath(PATHS[name], allPagesDefaults, segments);
    }
    #pagedPath(path, allPagesDefaults, segments, formatQuery = (parameters) => parameters) {
        return createPagedOperation({
            allPagesDefaults,
            url: (parameters) => this.#pathUrl(path, formatQuery(parameters), segments),
            read: async (url, options) => {
                const { data, meta } = await this.#connection.read(url, options);
                if (Array.isArray(data))
                    return { data, meta };
                const { requestId } = meta;
                throw new TenorError('malformed', 'the response is not a list', {
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
