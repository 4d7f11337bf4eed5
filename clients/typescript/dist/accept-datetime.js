/**
 * The `Accept-Datetime` header of an instant. A day such as `2026-07-01` means its end in UTC, so
 * that everything published on that day is included.
 */
export function toAcceptDatetime(instant) {
    const ms = instant instanceof Date ? instant.getTime() : Date.parse(instant);
    if (Number.isNaN(ms) || (typeof instant === 'string' && !/^[ -~]+$/.test(instant))) {
        throw new TypeError('an instant must be a Date, a day such as 2026-07-01 or an ISO 8601 text such as 2026-07-01T12:00:00Z');
    }
    if (instant instanceof Date)
        return instant.toISOString();
    return /^\d{4}-\d{2}-\d{2}$/.test(instant) ? `${instant}T23:59:59Z` : instant;
}
