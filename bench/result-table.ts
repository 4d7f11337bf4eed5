import { cpus } from 'node:os';

export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly against: string;
  /** Absent where there is nothing here to measure against. */
  readonly ratio: number | undefined;
  readonly aim: string;
}

/** The rows as a Markdown table, with what they were measured on. */
export function table(rows: readonly Row[], client: string): string {
  const lines = rows.map(
    ({ what, measured, against, ratio, aim }) =>
      `| ${what} | ${measured} | ${against} | ${ratio?.toFixed(2) ?? '–'} | ${aim} |`,
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
