/** The URL of an operation, with its path segments in braces and its query filled in. */
export declare function buildUrl(base: URL, path: string, parameters?: object, segments?: Readonly<Record<string, string | number>>): URL;
