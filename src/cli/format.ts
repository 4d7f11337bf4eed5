import type { ChangeCounts, Revision } from '../store/open-store.ts';
import type { CommandCall } from './command.ts';
import { formatCount } from './format-report.ts';
import { printJson, printLine } from './output.ts';

/** One line about what was published, or why nothing was. */
export function formatOutcome(
  revision: Revision | undefined,
  counts: ChangeCounts,
  isDryRun: boolean,
): string {
  const text = formatChangeCounts(counts);
  if (isDryRun) return `Dry run, nothing published. Would be: ${text}.`;
  if (!revision) return `Nothing published: the data is unchanged (${text}).`;
  return `Published revision ${revision.revision}: ${text}.`;
}

export function formatChangeCounts({ added, corrected, retired, unchanged }: ChangeCounts): string {
  const counts = Object.entries({ added, corrected, retired, unchanged });
  return counts.map(([name, count]) => `${formatCount(count)} ${name}`).join(', ');
}

/** Prints the outcome of a retirement or a reversion, as a line or as JSON. */
export function printPublished({ options }: CommandCall, revision: Revision): void {
  const isDryRun = options['dry-run'] === true;
  const { added, corrected, retired, unchanged } = revision;
  const counts = { added, corrected, retired, unchanged };
  if (!options.json) printLine(formatOutcome(revision, counts, isDryRun));
  else if (isDryRun) printJson({ status: 'rehearsed', revision: null, counts });
  else printJson({ status: 'published', revision, counts });
}

/** A count with its noun: `1 fault`, `1,200 faults`. */
export function pluralize(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Rows of cells in columns as wide as their widest cell. */
export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths =
    rows[0]?.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)));
  return lines.map((cells) => cells.join('  ').trimEnd()).join('\n');
}
