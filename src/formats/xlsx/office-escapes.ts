/** Escapes what XML cannot hold, such as U+0001 as `_x0001_`, and text that looks like an escape. */
export function escapeForOffice(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replaceAll(ESCAPED, (character) => {
    const hex = character.charCodeAt(0).toString(16).toUpperCase();
    return `_x${hex.padStart(4, '0')}_`;
  });
}

export function unescapeFromOffice(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9a-fA-F]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

// Includes the carriage return, which XML turns into a line feed. With the u flag a surrogate pair is one
// character, so only unpaired surrogates match.
const INVALID_XML_CHARACTERS = '[\\0-\\x08\\x0b-\\x1f\\ud800-\\udfff\\ufffe\\uffff]';
const SPECIAL = new RegExp(`_x|${INVALID_XML_CHARACTERS}`, 'u');
const ESCAPED = new RegExp(
  `_(?=x[0-9a-fA-F]{4}(?:_|${INVALID_XML_CHARACTERS}))|${INVALID_XML_CHARACTERS}`,
  'gu',
);
