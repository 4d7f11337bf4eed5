/** A copy of a text, because a slice of a file's text would keep a whole chunk of it in memory. */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
}
