const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** Throws a `TypeError` for what is neither, so that nothing is sent. */
export function resolveAsOf(asOf) {
    if (typeof asOf === 'number') {
        if (Number.isSafeInteger(asOf) && asOf >= 1)
            return { revision: asOf };
    }
    else if (asOf instanceof Date) {
        if (!Number.isNaN(asOf.getTime()))
            return { acceptDatetime: asOf.toISOString() };
    }
    else if (typeof asOf === 'string') {
        // Everything published on a day is included.
        if (isDay(asOf))
            return { acceptDatetime: `${asOf}T23:59:59Z` };
        const [, day] = INSTANT.exec(asOf) ?? [];
        const isHttpDate = HTTP_DATE.test(asOf) && !Number.isNaN(Date.parse(asOf));
        if (isHttpDate || (day && isDay(day)))
            return { acceptDatetime: asOf };
    }
    throw new TypeError('asOf must be the number of a revision, a Date, a day such as 2026-07-01, or an instant with a time zone such as 2026-07-01T12:00:00Z');
}
/** `Date` takes 30 February for 2 March. */
export function isDay(text) {
    if (!DAY.test(text))
        return false;
    const ms = Date.parse(`${text}T00:00:00Z`);
    return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
