/**
 * The `Accept-Datetime` header of an instant. A day such as `2026-07-01` means its end in UTC, so
 * that everything published on that day is included.
 */
export declare function toAcceptDatetime(instant: Date | string): string;
