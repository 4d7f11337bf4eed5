/** The member of a table that a text from outside names: none that every object inherits, such as `constructor`. */
export declare function findOwn<T>(table: Readonly<Record<string, T>>, name: string): T | undefined;
