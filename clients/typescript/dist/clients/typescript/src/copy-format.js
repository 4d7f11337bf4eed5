import { compareBytes } from './compare-bytes.js';
export const COPY_FORMATS = [
    {
        name: 'csv',
        lineEnd: '\r\n',
        hasHeader: true,
        splitChange: (line) => {
            const comma = line.indexOf(',');
            return [line.slice(0, comma), line.slice(comma + 1)];
        },
        parseFields: (line, header, fields) => {
            const [names, cells] = [parseCsvLine(header), parseCsvLine(line)];
            return fields.map((field) => unescapeFormula(cells[names.indexOf(field)] ?? ''));
        },
    },
    {
        name: 'ndjson',
        lineEnd: '\n',
        hasHeader: false,
        // The record is kept as it was sent, byte for byte.
        splitChange: (line) => [
            String(JSON.parse(line).change),
            line.slice(line.indexOf('"record":') + '"record":'.length, -1),
        ],
        parseFields: (line, _, fields) => {
            const record = JSON.parse(line);
            return fields.map((field) => String(record[field]));
        },
    },
];
/**
 * Applies pages of changes to a copy: merges two lists in the order of the dataset. Undefined if
 * they have other columns.
 */
export function mergeChanges(copy, pages, format, order) {
    const [header = '', lines] = splitLines(copy, format);
    const changes = pages.flatMap((page) => splitLines(page, format)[1]).map(format.splitChange);
    const isSameHeader = pages.every((page) => {
        const [changesHeader = ''] = splitLines(page, format);
        return !format.hasHeader || changesHeader === `change,${header}`;
    });
    if (!isSameHeader)
        return undefined;
    const fields = order.map(([field]) => field);
    const parseKey = (line) => format.parseFields(line, header, fields);
    const merged = format.hasHeader ? [header] : [];
    let index = 0;
    for (const [change, line] of changes) {
        const key = parseKey(line);
        let comparison = -1;
        for (; index < lines.length; index += 1) {
            const copied = lines[index] ?? '';
            comparison = compareKeys(parseKey(copied), key, order);
            if (comparison >= 0)
                break;
            merged.push(copied);
        }
        if (index < lines.length && comparison === 0)
            index += 1;
        if (change !== 'retired')
            merged.push(line);
    }
    for (const line of lines.slice(index))
        merged.push(line);
    return {
        text: merged.map((line) => line + format.lineEnd).join(''),
        count: changes.length,
    };
}
function splitLines(text, { lineEnd, hasHeader }) {
    const lines = text.split(lineEnd).slice(0, -1);
    return hasHeader ? [lines[0] ?? '', lines.slice(1)] : ['', lines];
}
export function compareKeys(a, b, order) {
    for (const [index, [, direction]] of order.entries()) {
        const [left, right] = [a[index] ?? '', b[index] ?? ''];
        const comparison = direction === 'folded' ? compareBytes(fold(left), fold(right)) : compareBytes(left, right);
        if (comparison !== 0)
            return direction === 'descending' ? -comparison : comparison;
    }
    return 0;
}
export function fold(text) {
    return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
/** Removes the apostrophe that keeps spreadsheets from running a text as a formula. */
function unescapeFormula(cell) {
    return /^'+[=+\-@＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}
/** The cells of a line; one in quotes may have commas and doubled quotes in it. */
function parseCsvLine(line) {
    const cells = [];
    for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
        cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    }
    return cells;
}
