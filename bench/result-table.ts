import type { RateComparison } from './compare-rates.ts';

export interface ResultRow {
  readonly label: string;
  readonly measured: string;
  readonly baseline: string;
  /** Undefined if there is no baseline. */
  readonly ratio: number | undefined;
  readonly aim: string;
}

/** The rows as a Markdown table. */
export function formatResultTable(rows: readonly ResultRow[]): string {
  const lines = rows.map(
    ({ label, measured, baseline, ratio, aim }) =>
      `| ${label} | ${measured} | ${baseline} | ${ratio?.toFixed(2) ?? '–'} | ${aim} |`,
  );
  return [
    '| what | measured | against | ratio | aim |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

/** The row of a comparison of two request rates. */
export function formatRateRow(
  label: string,
  { first, second, ratio }: RateComparison,
  baseline: string,
  aim: string,
): ResultRow {
  return {
    label,
    measured: `${first} req/s`,
    baseline: `${second} req/s, ${baseline}`,
    ratio,
    aim,
  };
}

/** The row of a value that should stay below a limit. */
export function formatLimitRow(
  label: string,
  measured: string,
  value: number,
  limit: number,
  unit: string,
): ResultRow {
  return { label, measured, baseline: `${limit} ${unit}`, ratio: value / limit, aim: '< 1' };
}
