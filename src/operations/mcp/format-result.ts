import type { TextRow, ToolResult } from './tool.ts';

/** A result for programs and, in short, for models that read text alone. */
export function formatResult({ revision, units, next, address, data, ...result }: ToolResult) {
  const { summary, rows, extra } = result;
  const truncated = next !== null;
  const continuation = truncated ? `; there is more: call again with ${JSON.stringify(next)}` : '';
  const lines = [`${summary} (revision ${revision})${continuation}`, ...formatTable(rows)];
  return {
    content: [{ type: 'text' as const, text: lines.join('\n') }],
    structuredContent: { revision, units, truncated, next, address, ...extra, data },
  };
}

/** `1 quote`, `2 quotes`. */
export function formatCount(count: number, items: string): string {
  return `${count} ${count === 1 ? items.replace(/ies$/, 'y').replace(/s$/, '') : items}`;
}

/** The lines of a table as CSV, which takes the fewest tokens. */
function formatTable(rows: readonly TextRow[]): string[] {
  const flatRows = rows.some(hasNested) ? rows.map(flattenRow) : rows;
  const columns = listColumns(flatRows);
  if (columns.length === 0) return [];
  const lines = flatRows.map((row) => columns.map((column) => formatCell(row[column])).join());
  return [columns.map(formatCell).join(), ...lines];
}

function listColumns(rows: readonly TextRow[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) for (const column in row) columns.add(column);
  return [...columns];
}

function hasNested(row: TextRow): boolean {
  for (const column in row) if (isObject(row[column])) return true;
  return false;
}

/** A row in which each nested value has a column: `lastPeriod.label`, `provinces.punjab`. */
function flattenRow(row: TextRow): TextRow {
  const pairs = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (isKeyedList(value)) return value.map((item) => [`${name}.${item.key}`, item.value]);
    if (!isObject(value) || Array.isArray(value)) return [[name, value]];
    return Object.entries(value).map(([key, nested]) => [`${name}.${key}`, nested]);
  });
  return Object.fromEntries(pairs);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isKeyedList(value: unknown): value is { key: string; value: unknown }[] {
  return Array.isArray(value) && value.every((item) => isObject(item) && 'key' in item);
}

function formatCell(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
