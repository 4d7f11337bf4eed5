/**
 * Text that a terminal shows and does not act on: whatever would move the cursor, change colours,
 * turn the direction of writing or leave no trace stands there as its code, such as `\u001b`.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROL_CHARACTERS, toEscape);
}

/** The same for text of several lines: line ends and tabs stay as they are. */
export function escapeControlsInLines(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (mark, at: number) => {
    const isLineEnd = mark === '\n' || (mark === '\r' && text[at + 1] === '\n');
    return isLineEnd || mark === '\t' ? mark : toEscape(mark);
  });
}

/** The two joiners belong into words of several scripts, Urdu among them. */
const CONTROL_CHARACTERS = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\u200c\u200d]]/gv;

function toEscape(mark: string): string {
  const code = (mark.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** How many places a text takes: two for a wide character, none for a mark above another one. */
export function displayWidth(text: string): number {
  return Bun.stringWidth(text);
}

/** A text with space before or behind it, up to so many places. */
export function padText(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return side === 'right' ? text + space : space + text;
}

/** A text in lines of at most so many places; a word that is longer has a line of its own. */
export function wrapText(text: string, width: number): string[] {
  return fillLines(text.split(' '), ' ', width);
}

/** A line in lines of at most so many places; what goes on below stands deeper than its beginning. */
export function wrapIndented(text: string, width: number): string[] {
  const words = text.trimStart();
  const indent = ' '.repeat(text.length - words.length);
  const deeper = `${indent}    `;
  return wrapText(words, width - deeper.length).map(
    (line, index) => (index === 0 ? indent : deeper) + line,
  );
}

/** Parts in lines, as many in each as fit, joined by what stands between two of them. */
export function fillLines(parts: readonly string[], between: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)}${between}${part}`;
    if (lines.length > 0 && displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}
