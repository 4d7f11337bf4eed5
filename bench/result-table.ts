import { cpus } from 'node:os';

export interface ResultRow {
  readonly label: string;
  readonly measured: string;
  readonly baseline: string;
  /** Undefined if there is no baseline. */
  readonly ratio: number | undefined;
  readonly aim: string;
}

/** The rows as a Markdown table, with the machine they were measured on. */
export function formatResultTable(rows: readonly ResultRow[], client: string): string {
  const lines = rows.map(
    ({ label, measured, baseline, ratio, aim }) =>
      `| ${label} | ${measured} | ${baseline} | ${ratio?.toFixed(2) ?? '–'} | ${aim} |`,
  );
  const [{ model } = { model: 'unknown' }] = cpus();
  return [
    `Bun ${Bun.version}, ${process.platform} ${process.arch}, ${cpus().length} cores (${model.trim()}), load by ${client}.`,
    '',
    '| what | measured | against | ratio | aim |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
