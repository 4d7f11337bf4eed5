/** The text of a column: values that hold the signs of its syntax are percent-encoded. */
export function alignedColumn(dataset, measure, dimensions = {}, units) {
    const values = Object.entries(dimensions).map(([name, value]) => `${name}=${encode(value)}`);
    const selection = values.length > 0 ? `(${values.join()})` : '';
    return `${dataset}.${encode(measure)}${selection}${units ? `:${units}` : ''}`;
}
const encode = (text) => text.replace(/[(),:%]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
/** The query of a table. */
export function formatAlignedQuery(columns, { status, ...parameters } = {}) {
    if (!Array.isArray(columns))
        throw new TypeError('columns must be a list of texts');
    const flag = status === undefined ? {} : { status: String(status) };
    return { ...parameters, ...flag, columns };
}
