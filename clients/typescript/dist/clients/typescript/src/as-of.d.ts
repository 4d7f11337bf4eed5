/** An instant, the end of a day such as `2026-07-01` (UTC), or the number of a revision. */
export type AsOf = Date | string | number;
/** The parameter or header that says what requests are as of. */
export interface ResolvedAsOf {
    /** The number of a revision: the parameter `as_of`. */
    readonly revision?: number;
    /** The header `Accept-Datetime`. */
    readonly acceptDatetime?: string;
}
/** Throws a `TypeError` for what is neither, so that nothing is sent. */
export declare function resolveAsOf(asOf: AsOf): ResolvedAsOf;
/** `Date` takes 30 February for 2 March. */
export declare function isDay(text: string): boolean;
