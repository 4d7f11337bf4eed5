/** A response: its data, and what its headers say about them. */
export interface TenorResponse<Data> {
    readonly data: Data;
    readonly meta: ResponseMeta;
}
/** The facts about the data of a response that its headers state. */
export interface ResponseMeta {
    /** The revision of all its data. */
    readonly revision: number | undefined;
    /** The instant at which that revision was published: another one where the database is another. */
    readonly publishedAt: string | undefined;
    /** That of the revision `since`, in changes. */
    readonly sincePublishedAt: string | undefined;
    /** The number of records that match in total; only with the `count` option. */
    readonly total: number | undefined;
    /** Whether more records match than were sent: `all` reads them, `cursor` the next page. */
    readonly hasMore: boolean;
    /** The URL of the next page; undefined on the last one. */
    readonly next: string | undefined;
    /** The `cursor` parameter of the next page, to be sent with the same parameters. */
    readonly cursor: string | undefined;
    /** The name of the dataset that has taken the place of this one, which is deprecated. */
    readonly successor: string | undefined;
    /** The units of computed figures, in their order: of transforms and aligned tables. */
    readonly units: readonly string[] | undefined;
    /** The instant at which the revision of an as-of response was published, in whole seconds. */
    readonly memento: Date | undefined;
    /** The instant at which the data last changed, in whole seconds. */
    readonly lastModified: Date | undefined;
    /** The remaining requests of the token's rate limit. */
    readonly rateLimitLeft: number | undefined;
    readonly etag: string | undefined;
    /** Identifies the request in the logs of the service. */
    readonly requestId: string | undefined;
    /** Whether the response came from the cache, after the service answered 304. */
    readonly cached: boolean;
}
export declare function parseMeta(url: string, headers: Headers, cached: boolean): ResponseMeta;
/** The cursor of the next page; undefined on the last one. Only the query of its URL is read. */
export declare function parseCursor({ headers }: Response): string | undefined;
