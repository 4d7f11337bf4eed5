/** Compares two texts by their UTF-8 bytes, which have the order of code points. */
export declare function compareBytes(a: string, b: string): number;
