/** The member of a table that a text from outside names: none that every object inherits, such as `constructor`. */
export function findOwn(table, name) {
    return Object.hasOwn(table, name) ? table[name] : undefined;
}
