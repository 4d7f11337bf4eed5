import { isFiscal, listLastMonths, parsePeriod, toOrdinal } from './period.js';
/** Throws a `TypeError` where a service would reject a parameter. */
export function planObservations({ kind, dimensions, name }, { from, to, sort = 'desc', ...values }) {
    if (sort !== 'asc' && sort !== 'desc')
        throw new TypeError('sort must be asc or desc');
    const first = parseBound('from', from, kind);
    const last = parseBound('to', to, kind);
    if (first !== undefined && last !== undefined && first > last)
        throw new TypeError('from must not be later than to');
    const [firstMonth] = first === undefined ? [''] : listLastMonths(first, kind);
    const [, lastMonth] = last === undefined ? ['', '9999-12'] : listLastMonths(last, kind);
    const wanted = listValues(name, dimensions, values);
    const getOrdinal = (record) => toOrdinal(String(Object.values(record)[0]), kind) ?? Number.NaN;
    const isWithin = (record) => {
        const ordinal = first === undefined && last === undefined ? 0 : getOrdinal(record);
        return ordinal >= (first ?? Number.NEGATIVE_INFINITY) && ordinal <= (last ?? Infinity);
    };
    return {
        isOldestFirst: sort === 'asc',
        isSelected: (month) => month >= firstMonth && month <= lastMonth,
        select(records) {
            const selected = records.filter((record) => wanted.every(([field, texts]) => texts.includes(String(record[field]))) &&
                isWithin(record));
            // Those of one period stay in their order.
            return sort === 'asc' ? selected.sort((a, b) => getOrdinal(a) - getOrdinal(b)) : selected;
        },
    };
}
function parseBound(name, text, kind) {
    const ordinal = text === undefined ? undefined : parsePeriod(String(text), kind);
    if (text === undefined || ordinal !== undefined)
        return ordinal;
    throw new TypeError(`${name} must be ${describePeriod(kind)}, not "${text}"`);
}
function describePeriod(kind) {
    const description = DESCRIPTIONS[kind.unit];
    if (!isFiscal(kind))
        return description;
    return description.replace(' or 2024-Q1', '').replace('2024', 'FY2024');
}
const DESCRIPTIONS = {
    day: 'a calendar day as YYYY-MM-DD',
    week: 'a week such as 2024-W05, or a day in it as YYYY-MM-DD',
    month: 'a month such as Jan 2024 or 2024-01, or a day in it as YYYY-MM-DD',
    quarter: 'a quarter such as Q1 2024 or 2024-Q1, or a day in it as YYYY-MM-DD',
    year: 'a year such as 2024, or a day in it as YYYY-MM-DD',
};
function listValues(name, dimensions, values) {
    return Object.entries(values).flatMap(([field, value]) => {
        if (value === undefined)
            return [];
        if (!dimensions.includes(field)) {
            const known = dimensions.length === 0 ? 'it has none' : `it has ${dimensions.join(', ')}`;
            throw new TypeError(`"${field}" is no dimension of ${name}; ${known}`);
        }
        return [[field, typeof value === 'string' ? value.split(',') : value]];
    });
}
