/**
 * Characters that a terminal may act on or hide, except the two joiners, which words of Urdu and other
 * scripts contain.
 */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/** Control, bidirectional and invisible characters, and line separators: no text needs them. */
const CONTROL_CHARACTER =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u;
const ONLY_PRINTABLE_ASCII = /^[ -~]*$/;

/** The first such character as `U+202E`; undefined if there is none. */
export function findControlCharacter(text: string): string | undefined {
  // Nearly all texts are ASCII, which is much faster to test for.
  if (ONLY_PRINTABLE_ASCII.test(text)) return undefined;
  const character = CONTROL_CHARACTER.exec(text)?.[0];
  return character && `U+${formatCode(character).toUpperCase()}`;
}

/** Replaces control characters with escapes such as `\u001b`. */
export function escapeControls(text: string): string {
  return text.replace(CONTROL_CHARACTERS, toEscape);
}

/** The same for text of several lines: line ends and tabs are kept. */
export function escapeControlsInLines(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (character, index: number) => {
    const isLineEnd = character === '\n' || (character === '\r' && text[index + 1] === '\n');
    return isLineEnd || character === '\t' ? character : toEscape(character);
  });
}

/** JSON in which the control characters that JSON itself allows are escaped as well. */
export function stringifyEscaped(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(CONTROL_CHARACTERS, (character) =>
    // A character outside the basic plane needs two escapes.
    character === '\n' ? character : character.split('').map(toEscape).join(''),
  );
}

function toEscape(character: string): string {
  const code = formatCode(character);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
}

function formatCode(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
}
