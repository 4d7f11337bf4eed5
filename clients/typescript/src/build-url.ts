/** The address of an operation: what stands in braces in its path, and the query, filled in. */
export function buildUrl(
  base: URL,
  path: string,
  parameters: object = {},
  segments: Readonly<Record<string, string | number>> = {},
): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(segments[name])),
  );
  const url = new URL(`.${filled}`, base);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (typeof value !== 'string' && typeof value !== 'number') {
      // Left out or turned into text, it would look as if it had worked.
      throw new TypeError(`parameter "${name}" must be a text or a number`);
    }
    url.searchParams.set(name, String(value));
  }
  return url;
}
