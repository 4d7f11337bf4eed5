/** Whether a text is the origin of a web page, exactly as browsers write it. */
export function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
