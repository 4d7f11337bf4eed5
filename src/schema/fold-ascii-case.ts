/** Securities and funds are looked up without regard to letter case, for ASCII letters only. */
export function foldAsciiCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
