/** A Markdown table; cells may not contain line breaks. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** A Markdown page of a title and paragraphs. */
export function page(title: string, ...paragraphs: readonly string[]): string {
  return `${[`# ${title}`, ...paragraphs].join('\n\n')}\n`;
}

export const code = (text: string) => `\`${text}\``;
