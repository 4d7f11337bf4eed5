/** A link of a `Link` header (RFC 8288). */
export interface Link {
    /** A relative or absolute URL. */
    readonly target: string;
    /** In lower case. */
    readonly relations: readonly string[];
}
/** The links of a header; undefined if it is malformed. */
export declare function parseLinkHeader(header: string): readonly Link[] | undefined;
