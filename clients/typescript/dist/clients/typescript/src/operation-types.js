/** The parameters of the query, and those of the path. Throws if one of the path is missing. */
export function splitPathParameters(path, parameters = {}) {
    const query = { ...parameters };
    const segments = {};
    for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
        const { [name]: value } = query;
        if (typeof value !== 'string' && typeof value !== 'number') {
            throw new TypeError(`parameter "${name}" must be a text or a number`);
        }
        segments[name] = value;
        delete query[name];
    }
    return [query, segments];
}
/** Rejects unknown names, which the type checker cannot do for JavaScript. */
export function assertKnownName(names, name) {
    if (names.includes(name))
        return name;
    throw new TypeError(`there is no "${String(name)}"; there are ${names.join(', ')}`);
}
