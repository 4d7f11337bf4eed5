import type { DescribedChange, DescribedChanges } from '../publish/desk/describe-changes.ts';
import type { Candidate } from '../store/open-store.ts';

/** A page about a candidate that needs no other file, to be passed on and printed. */
export function formatCandidatePage(
  facts: readonly string[],
  { id, note }: Candidate,
  described: readonly DescribedChanges[],
): string {
  const changes = described.flatMap((each) => each.changes);
  const groups = described.flatMap((each) => each.byPeriod);
  const title = `Candidate ${id}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<style>
  body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em }
  table { border-collapse: collapse; width: 100%; margin: 1em 0 }
  caption { text-align: left; font-weight: bold }
  th, td { border-bottom: 1px solid #ccc; padding: 0.2em 0.6em; text-align: left }
  td.number { text-align: right; font-variant-numeric: tabular-nums }
  blockquote { border-left: 3px solid #888; margin: 1em 0; padding-left: 1em; white-space: pre-line }
  tr { break-inside: avoid }
</style>
<h1>${title}</h1>
${note === undefined ? '' : `<blockquote>${escapeHtml(note)}</blockquote>`}
<ul>${facts.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('')}</ul>
${formatTable(
  'By period',
  ['Period', 'Added', 'Corrected', 'Retired'],
  groups.map(({ name, added, corrected, retired }) => [name, added, corrected, retired]),
)}
${formatTable('Changes, the largest first', CHANGE_COLUMNS, changes.map(toCells))}
</html>
`;
}

export const CHANGE_COLUMNS = [
  ...['dataset', 'change', 'period', 'series', 'value', 'old', 'new', 'difference', 'percent'],
] as const;

/** The cells of a change, in the order of the columns. */
export function toCells(described: DescribedChange): (string | number | null)[] {
  const { dataset, change, period, series, value, old, new: replacement } = described;
  const { difference, percent } = described;
  return [dataset, change, period, series, value, old, replacement, difference, percent];
}

function formatTable(
  caption: string,
  titles: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  if (rows.length === 0) return '';
  const head = titles.map((title) => `<th>${escapeHtml(title)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map(formatCell).join('')}</tr>`).join('\n');
  return `<table><caption>${caption}</caption><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table>`;
}

function formatCell(value: string | number | null): string {
  if (typeof value === 'number')
    return `<td class="number">${value.toLocaleString('en-US', { maximumFractionDigits: 12 })}</td>`;
  return `<td>${escapeHtml(value ?? '')}</td>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
