/** The URL of an operation, with its path segments in braces and its query filled in. */
export function buildUrl(base, path, parameters = {}, segments = {}) {
    const target = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(segments[name])));
    const url = new URL(`.${target}`, base);
    for (const [name, value] of Object.entries(parameters)) {
        if (value !== undefined)
            url.searchParams.set(name, formatParameter(name, value));
    }
    return url;
}
/** Omitting a value of another type or converting it to text would hide the mistake. */
function formatParameter(name, value) {
    if (typeof value === 'string' || typeof value === 'number')
        return String(value);
    if (!Array.isArray(value))
        throw new TypeError(`parameter "${name}" must be a text or a number`);
    // A comma within the parentheses of a column separates none.
    if (name === 'columns')
        return value.join();
    const texts = value.map((item) => (typeof item === 'number' ? String(item) : item));
    // A text with a comma in it would be two.
    if (texts.length > 0 && texts.every((text) => typeof text === 'string' && /^[^,]+$/.test(text))) {
        return texts.join(',');
    }
    throw new TypeError(`parameter "${name}" must be a list of texts without commas`);
}
