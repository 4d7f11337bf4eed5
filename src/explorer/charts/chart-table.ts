import { formatSpreadsheetCell } from '../../shared/delimited-cell.ts';
import type { ChartBand, ChartLine } from './chart-data.ts';

/** What a chart draws: the values of its lines at each point. */
export interface ChartTable {
  /** The points: labels of periods, empty at a gap, or years to maturity. */
  readonly keys: readonly (string | number)[];
  readonly columns: readonly ChartColumn[];
  /** The name of the column with the points; by default what they look like. */
  readonly keyName?: string | undefined;
}

interface ChartColumn {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly (number | undefined)[];
}

export function listColumns(
  lines: readonly ChartLine[],
  band: ChartBand | undefined,
  unit: string,
): ChartColumn[] {
  const edges = band && [
    { name: `${band.name}, low`, unit, values: band.low },
    { name: `${band.name}, high`, unit, values: band.high },
  ];
  return [...lines.map(({ name, values }) => ({ name, unit, values })), ...(edges ?? [])];
}

/** The table of all charts of a panel: a row for each point of any of them. */
export interface ChartSheet {
  readonly names: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

export function mergeChartTables(all: readonly ChartTable[]): ChartSheet {
  const keys = [...new Set(all.flatMap((table) => table.keys))].filter((key) => key !== '');
  const isTime = keys.some((key) => typeof key === 'string');
  if (!isTime) keys.sort((a, b) => Number(a) - Number(b));
  const columns = all.flatMap((table) => {
    const positions = new Map(table.keys.map((key, index) => [key, index]));
    return table.columns.map(({ name, unit, values }) => ({
      name: unit === '' ? name : `${name} (${unit})`,
      cells: keys.map((key) => toCell(values[positions.get(key) ?? -1])),
    }));
  });
  return {
    names: [all[0]?.keyName ?? (isTime ? 'period' : 'years'), ...columns.map(({ name }) => name)],
    rows: keys.map((key, row) => [key, ...columns.map(({ cells }) => cells[row] ?? null)]),
  };
}

/** Without errors of binary fractions. */
const toCell = (value: number | undefined) =>
  value === undefined ? null : Number(value.toPrecision(12));

/** CSV whose first line says where it is from, as a comment without commas. */
export function formatChartCsv({ names, rows }: ChartSheet, source: readonly string[]): string {
  const comment = `# ${source.join('; ').replaceAll(/,\s*|\s+/g, ' ')}`;
  const lines = [names, ...rows].map((cells) => cells.map(formatSpreadsheetCell).join());
  return [comment, ...lines, ''].join('\r\n');
}
