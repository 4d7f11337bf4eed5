/** The width of a text in terminal columns: 2 for a wide character, 0 for a combining one. */
export function displayWidth(text: string): number {
  return Bun.stringWidth(text);
}

export function padText(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return side === 'right' ? text + space : space + text;
}

/** Wraps a text at spaces; words that are too long get their own line. */
export function wrapText(text: string, width: number): string[] {
  return fillLines(text.split(' '), ' ', width);
}

/** Wraps a line, and indents all lines after the first. */
export function wrapIndented(text: string, width: number): string[] {
  const content = text.trimStart();
  const indent = ' '.repeat(text.length - content.length);
  const hangingIndent = `${indent}    `;
  return wrapText(content, width - hangingIndent.length).map(
    (line, index) => (index === 0 ? indent : hangingIndent) + line,
  );
}

/** Joins parts into lines, with as many per line as fit. */
export function fillLines(parts: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)}${separator}${part}`;
    if (lines.length > 0 && displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}
