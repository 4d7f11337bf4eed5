/** The items of a comma-separated list; one in double quotes may have commas. Undefined if quotes are amiss. */
export function splitQuotedList(text: string): string[] | undefined {
  const items: string[] = [];
  let rest = text;
  for (;;) {
    const [all, quoted, plain = ''] =
      /^(?:"((?:[^"]|"")*)"|([^",][^,]*|))(?:,|$)/s.exec(rest) ?? [];
    if (all === undefined) return undefined;
    items.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    rest = rest.slice(all.length);
    if (!all.endsWith(',')) return items;
  }
}

/** An item as a list has it: in double quotes if it needs them. */
export function quoteListItem(item: string): string {
  return /[,"]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item;
}
