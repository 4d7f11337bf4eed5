"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.buildVintageMatrix = buildVintageMatrix;
const generated_ts_1 = require("./generated.js");
/** The matrix of states of records, in the order in which they came. */
function buildVintageMatrix(dataset, states, measures) {
    const instants = new Map();
    for (const { since, published, until, withdrawn } of states) {
        instants.set(since, published);
        if (until !== null)
            instants.set(until, withdrawn ?? '');
    }
    const revisions = [...instants.keys()].sort((a, b) => a - b);
    const flat = states.map(({ since, published: _, until, withdrawn: __, ...record }) => ({
        isValid: revisions.map((revision) => revision >= since && revision < (until ?? Infinity)),
        records: flatten(record),
    }));
    const keyFields = listKeyFields(dataset, flat[0]?.records[0] ?? {});
    const names = listMeasures(flat.flatMap(({ records }) => records), keyFields, measures);
    const rows = new Map();
    for (const { isValid, records } of flat) {
        for (const record of records) {
            const key = Object.fromEntries(keyFields.map((field) => [field, String(record[field])]));
            for (const measure of names.filter((name) => name in record)) {
                const id = JSON.stringify([key, measure]);
                const row = rows.get(id) ?? { key, measure, values: revisions.map(() => null) };
                rows.set(id, row);
                const value = record[measure];
                for (const index of revisions.keys())
                    if (isValid[index])
                        row.values[index] = value;
            }
        }
    }
    const columns = revisions.map((revision) => ({
        revision,
        published: instants.get(revision) ?? '',
    }));
    return { columns, rows: [...rows.values()] };
}
/** A record of a series is identified by its texts: its period and its dimensions. */
function listKeyFields(dataset, record) {
    const order = generated_ts_1.RECORD_ORDERS[dataset];
    if (order)
        return order.map(([field]) => field);
    return Object.keys(record).filter((field) => typeof record[field] === 'string' && field !== 'status');
}
/** The named measures, or the fields in which no record has another value than a number. */
function listMeasures(records, keyFields, measures) {
    const fields = new Set(records.flatMap((record) => Object.keys(record)));
    for (const field of keyFields)
        fields.delete(field);
    const isNumber = (value) => (value ?? null) === null || typeof value === 'number';
    if (!measures) {
        return [...fields].filter((field) => records.every((record) => isNumber(record[field])));
    }
    const unknown = measures.find((name) => records.length > 0 && !fields.has(name));
    if (unknown === undefined)
        return measures;
    throw new TypeError(`there is no measure "${unknown}"; there are ${[...fields].join(', ')}`);
}
/** Members of lists become fields such as `provinces.punjab`, and a fund a record for each period. */
function flatten(record) {
    const { fund_id, periods, rows } = record;
    if (Array.isArray(periods) && Array.isArray(rows)) {
        return periods.map(({ label }, index) => ({
            ...{ fund_id, period: label },
            ...Object.fromEntries(rows.map((row) => [row.label, row.values[index]])),
        }));
    }
    const fields = Object.entries(record).flatMap(([name, value]) => Array.isArray(value) && value.every((item) => 'key' in item && 'value' in item)
        ? value.map((item) => [`${name}.${item.key}`, item.value])
        : [[name, value]]);
    return [Object.fromEntries(fields)];
}
