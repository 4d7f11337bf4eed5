/** Tells cells that mean no value from others. */
export interface BlankMatcher {
  /** Of trimmed text. */
  isBlankText(text: string): boolean;
  /** Of a number: it is blank where its text is, so that "0" means the same in all formats. */
  isBlankNumber(value: number | bigint): boolean;
}

/** Blank is nothing at all, or one of the texts; letter case is ignored. */
export function createBlankMatcher(texts: readonly string[]): BlankMatcher {
  const blanks = new Set(texts.map((text) => text.trim().toLowerCase()));
  const numbers = new Set([...blanks].filter((text) => String(Number(text)) === text).map(Number));
  // Most cells are longer than any blank: they are spared the lower case and the look-up.
  const longest = Math.max(0, ...[...blanks].map((text) => text.length));
  return {
    isBlankText: (text) =>
      text === '' || (text.length <= longest && blanks.has(text.toLowerCase())),
    isBlankNumber: (value) => numbers.size > 0 && numbers.has(Number(value)),
  };
}
