import { formatDay } from '../../../../src/client/mirror/read-table.js';
import { isDay } from '../as-of.js';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTHS_OF = { month: 1, quarter: 3, year: 12 };
const DAY_MS = 86_400_000;
/** The number of a period among others of its kind; undefined if the text is no label of it. */
export function toOrdinal(label, kind) {
    const { unit, yearStart } = kind;
    if (unit === 'day')
        return isDay(label) ? toDayNumber(label) : undefined;
    if (unit === 'week')
        return parseWeek(label);
    if (unit === 'year' && yearStart === null)
        return parsePublishedYear(label);
    const prefix = isFiscal(kind) ? 'FY' : '';
    const part = { month: `(${MONTHS.join('|')}) `, quarter: '(Q[1-4]) ', year: '()' }[unit];
    const [, name = '', year] = new RegExp(`^${part}${prefix}([0-9]{4})$`).exec(label) ?? [];
    if (year === undefined)
        return undefined;
    const index = { month: MONTHS.indexOf(name), quarter: Number(name[1]) - 1, year: 0 }[unit];
    return Number(year) * (12 / MONTHS_OF[unit]) + index;
}
/** The same by `2024-01`, by `2024-Q1` of calendar years, or by a day in the period. */
export function parsePeriod(text, kind) {
    // The label of a fiscal quarter has a prefix: 2024-Q1 could be the quarter of the calendar.
    const label = text
        .replace(/^([0-9]{4})-(Q[1-4])$/, '$2 $1')
        .replace(/^([0-9]{4})-(0[1-9]|1[0-2])$/, (_, year, month) => `${MONTHS[month - 1]} ${year}`);
    // A published year may be written like a month: 2009-10.
    const ordinal = toOrdinal(text, kind) ?? toOrdinal(label, kind);
    return ordinal ?? (isDay(text) ? findOrdinal(toDayNumber(text), kind) : undefined);
}
/** The first and last month in which a period of this number may end, such as `2026-05`. */
export function listLastMonths(ordinal, kind) {
    const { unit, yearStart } = kind;
    if (unit === 'day' || unit === 'week') {
        const month = formatDay(unit === 'day' ? ordinal : ordinal * 7 + 3).slice(0, 7);
        return [month, month];
    }
    const last = (ordinal + 1) * MONTHS_OF[unit] + getFirstMonth(kind) - 1;
    // Those that are published as fiscal years end in June.
    const first = unit === 'year' && yearStart === null ? last - 6 : last;
    return [formatMonth(first), formatMonth(last)];
}
/** Fiscal years are named by the year in which they end, as their quarters are. */
export function isFiscal({ unit, yearStart }) {
    return unit !== 'month' && yearStart !== null && yearStart !== 1;
}
/** That of year 0, before the January of that year where years are fiscal. */
function getFirstMonth(kind) {
    return isFiscal(kind) ? (kind.yearStart ?? 1) - 13 : 0;
}
function findOrdinal(day, kind) {
    const { unit } = kind;
    if (unit === 'day')
        return day;
    if (unit === 'week')
        return Math.floor((day + 3) / 7);
    const [year = 0, month = 0] = formatDay(day).split('-').map(Number);
    return Math.floor((year * 12 + month - 1 - getFirstMonth(kind)) / MONTHS_OF[unit]);
}
/** Weeks by ISO 8601: one belongs to the year of its Thursday, and the first has 4 January. */
function parseWeek(label) {
    const [, year, week] = /^([0-9]{4})-W([0-9]{2})$/.exec(label) ?? [];
    if (year === undefined)
        return undefined;
    const first = Math.floor((toDayNumber(`${year}-01-04`) + 3) / 7);
    const ordinal = first + Number(week) - 1;
    return ordinal >= first && formatDay(ordinal * 7).startsWith(year) ? ordinal : undefined;
}
/** `2024`, or the fiscal year that ends in it as `FY24`, `FY2024`, `2023-24` or `2023-2024`. */
function parsePublishedYear(label) {
    const [, year, fiscal, start, end] = /^(?:([0-9]{4})|FY([0-9]{2}|[0-9]{4})|([0-9]{4})-([0-9]{2}|[0-9]{4}))$/.exec(label) ?? [];
    if (year !== undefined)
        return Number(year);
    // From 70 on, two digits belong to the last century.
    if (fiscal?.length === 2)
        return Number(fiscal) + (Number(fiscal) < 70 ? 2000 : 1900);
    if (fiscal !== undefined)
        return Number(fiscal);
    if (end === undefined)
        return undefined;
    const next = Number(start) + 1;
    return String(next).padStart(4, '0').endsWith(end) ? next : undefined;
}
function toDayNumber(day) {
    return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}
function formatMonth(index) {
    const [year, month] = [Math.floor(index / 12), (index % 12) + 1];
    return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}
