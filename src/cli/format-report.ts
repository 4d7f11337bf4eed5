import {
  formatLocation,
  formatProblem,
  type LocatedProblem,
} from '../publish/load/file-problems.ts';
import type { LoadReport, WarningGroup } from '../publish/load/load-report.ts';
import { WARNING_RULES } from '../publish/quality/index.ts';

/** A load report as lines; none for a revision that came from no file. */
export function formatReport(report: Partial<LoadReport>): string[] {
  if (!isCompleteReport(report)) return [];
  const { records, computed, terms, uncomputable, skipped, warnings } = report;
  return [
    `Read ${formatCount(records)} ${records === 1 ? 'record' : 'records'}.`,
    ...skipped.map((what) => `Left out: ${what}.`),
    ...formatFieldCounts('Computed', computed),
    ...formatFieldCounts('Not computable, so 0', uncomputable),
    ...(terms > 0 ? [`Terms kept: of ${formatCount(terms)} securities.`] : []),
    ...warnings.flatMap(formatWarningGroup),
  ];
}

function isCompleteReport(report: Partial<LoadReport>): report is LoadReport {
  return report.records !== undefined;
}

function formatFieldCounts(title: string, counts: Readonly<Record<string, number>>): string[] {
  const figures = Object.entries(counts).map(([field, count]) => `${field} ${formatCount(count)}`);
  return figures.length > 0 ? [`${title}: ${figures.join(', ')}.`] : [];
}

const MAX_SHOWN_PER_RULE = 3;

/** The warnings of one rule as lines: when it warns, and the first few warnings. */
export function formatWarningGroup({ rule, count, first }: WarningGroup): string[] {
  const shown = first.slice(0, MAX_SHOWN_PER_RULE).map(({ at, field, text, ...location }) => {
    const prefix = at === null ? '' : `${formatLocation({ ...location, at })}, `;
    return `  ${prefix}${field}: ${text}`;
  });
  const remaining = count - shown.length;
  return [
    `Warning ${rule} (${formatCount(count)}): ${WARNING_RULES[rule]}`,
    ...shown,
    ...(remaining > 0 ? [`  … and ${formatCount(remaining)} more`] : []),
  ];
}

export function formatProblemLine({ field, value, rule, ...location }: LocatedProblem): string {
  const name = field === '' ? '' : `, ${field}`;
  return `${formatLocation(location)}${name}: ${formatProblem(value, rule)}`;
}

/** A number with thousands separators. */
export function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}
