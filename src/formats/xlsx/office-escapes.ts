/**
 * Office's own way to write what XML cannot hold, such as U+0001 as `_x0001_`; text that looks
 * like this already is written so that it stays as it is.
 */
export function escapeForOffice(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replaceAll(ESCAPED, (character) => {
    const hex = character.charCodeAt(0).toString(16).toUpperCase();
    return `_x${hex.padStart(4, '0')}_`;
  });
}

/** Text with those escapes undone. */
export function unescapeFromOffice(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9a-fA-F]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

// The carriage return is among them, as XML makes it a line feed; the surrogates are halves of
// pairs, as the u flag takes a whole pair for one character.
const INVALID_XML_CHARACTERS = '[\\0-\\x08\\x0b-\\x1f\\ud800-\\udfff\\ufffe\\uffff]';
const SPECIAL = new RegExp(`_x|${INVALID_XML_CHARACTERS}`, 'u');
const ESCAPED = new RegExp(
  `_(?=x[0-9a-fA-F]{4}(?:_|${INVALID_XML_CHARACTERS}))|${INVALID_XML_CHARACTERS}`,
  'gu',
);
