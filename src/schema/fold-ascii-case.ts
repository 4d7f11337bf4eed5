/** Securities and funds are looked up case-insensitively, for ASCII letters only. */
export function foldAsciiCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
