/** The value of a parameter; a list is sent as one text with commas. */
type ParameterValue = string | number | readonly (string | number)[];

/** The URL of an operation, with its path segments in braces and its query filled in. */
export function buildUrl(
  base: URL,
  path: string,
  parameters: object = {},
  segments: Readonly<Record<string, string | number>> = {},
): URL {
  const target = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(segments[name])),
  );
  const url = new URL(`.${target}`, base);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, formatParameter(name, value));
  }
  return url;
}

/** Omitting a value of another type or converting it to text would hide the mistake. */
function formatParameter(name: string, value: ParameterValue): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!Array.isArray(value)) throw new TypeError(`parameter "${name}" must be a text or a number`);
  // A comma within the parentheses of a column separates none.
  if (name === 'columns') return value.join();
  const texts = value.map((item) => (typeof item === 'number' ? String(item) : item));
  if (texts.length > 0 && texts.every((text) => typeof text === 'string' && text !== ''))
    return texts.map((text) => quoteItem(String(text))).join(',');
  throw new TypeError(`parameter "${name}" must be a list of texts`);
}

/** In double quotes, a text with a comma in it is not two. */
export function quoteItem(text: string): string {
  return /[,"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
