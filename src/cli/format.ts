import {
  formatLocation,
  formatOthers,
  type LocatedProblem,
} from '../publish/load/file-problems.ts';
import type { LoadReport, WarningGroup } from '../publish/load/load-report.ts';
import { REFUSAL_RULES } from '../publish/quality/refusal-rules.ts';
import { WARNING_RULES } from '../publish/quality/warning-rules.ts';
import { formatProblem } from '../schema/format-problem.ts';
import { escapeControls } from '../shared/control-characters.ts';
import type { ChangeCounts, Revision } from '../store/open-store.ts';
import { formatTable } from './terminal/table.ts';
import { createTerminalStyle, type TerminalStyle } from './terminal/terminal-style.ts';
import { displayWidth } from './terminal/text.ts';

/** A load report as lines; none for a revision that did not come from files. */
export function formatReport(report: Partial<LoadReport>): string[] {
  if (report.records === undefined) return [];
  const { records, encodings, computed, terms, uncomputable, statuses, skipped } =
    report as LoadReport;
  const { notCompared, warnings, muted } = report as LoadReport;
  return [
    `Read ${pluralize(records, 'record')}.`,
    ...(encodings ?? []).map((what) => `Decoded: ${what}.`),
    ...skipped.map((what) => `Left out: ${what}.`),
    ...formatFieldCounts('Computed', computed),
    ...formatFieldCounts('Not computable, so 0', uncomputable),
    ...formatFieldCounts('Status', statuses ?? {}),
    ...(terms > 0 ? [`Terms kept: of ${pluralize(terms, 'security', 'securities')}.`] : []),
    ...formatFieldCounts('Muted', muted ?? {}),
    ...(notCompared ?? []).map((what) => `Not compared: ${what}.`),
    ...warnings.flatMap(formatWarningGroup),
  ];
}

function formatFieldCounts(title: string, counts: Readonly<Record<string, number>>): string[] {
  const figures = Object.entries(counts).map(
    ([field, count]) => `${field} ${formatInteger(count)}`,
  );
  return figures.length > 0 ? [`${title}: ${figures.join(', ')}.`] : [];
}

const DATA_RULES = { ...WARNING_RULES, 'future-date': REFUSAL_RULES['future-date'].when } as const;

const MAX_SHOWN_PER_RULE = 5;

/** The warnings of one rule as lines: its condition, then the first few warnings. */
export function formatWarningGroup({ rule, count, first }: WarningGroup): string[] {
  const listed = first.slice(0, MAX_SHOWN_PER_RULE);
  const shown = listed.map(({ at, field, text, ...location }) => {
    const { file } = location;
    const place = at === null ? file : formatLocation({ ...location, at });
    const prefix = place === '' ? '' : `${place}, `;
    return `  ${prefix}${field}: ${text}${formatOthers(location)}`;
  });
  const remaining = listed.reduce((sum, warning) => sum - (warning.count ?? 1), count);
  return [
    `Warning ${rule} (${formatInteger(count)}): ${DATA_RULES[rule]}`,
    ...shown,
    ...(remaining > 0 ? [`  … and ${formatInteger(remaining)} more`] : []),
  ];
}

export function formatProblemLine(problem: LocatedProblem): string {
  const { field, value, rule } = problem;
  const name = field === '' ? '' : `, ${field}`;
  const text = `${formatLocation(problem)}${name}: ${formatProblem(value, rule)}`;
  return escapeControls(text + formatOthers(problem));
}

/** A number with thousands separators. */
export function formatInteger(number: number): string {
  return number.toLocaleString('en-US');
}

/** A line about what was published, or why nothing was. */
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
  return counts.map(([name, count]) => `${formatInteger(count)} ${name}`).join(', ');
}

/** A count with its noun: `1 fault`, `1,200 faults`. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatInteger(count)} ${count === 1 ? noun : plural}`;
}

/**
 * Rows of cells in columns as wide as their widest cell; the first row has the titles. If a terminal is too
 * narrow for them, a table that fits it.
 */
export function formatColumns(
  rows: readonly (readonly string[])[],
  style: TerminalStyle = createTerminalStyle(process.stdout, process.env),
): string {
  // A line break in a cell would look like another row.
  const text = alignColumns(rows.map((row) => row.map(escapeControls)));
  const [titles = [], ...records] = rows;
  if (text.split('\n').every((line) => displayWidth(line) <= style.width)) return text;
  const columns = titles.map((name, index) => ({ name, isKey: index === 0 }));
  return formatTable(columns, records, style).join('\n');
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths =
    rows[0]?.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)));
  return lines.map((cells) => cells.join('  ').trimEnd()).join('\n');
}
