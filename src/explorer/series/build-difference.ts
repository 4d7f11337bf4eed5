import type { ListedChart } from '../charts/chart-data.ts';
import { formatFigureChange, formatSigned } from '../formatting/numbers.ts';
import type { BreakdownComponent } from './breakdown-components.ts';
import { isPercentage } from './compute-changes.ts';

/** The sum without errors of binary fractions; undefined unless all cells are numbers. */
export function addUp(cells: readonly unknown[]): number | undefined {
  const sum = cells.reduce<number>((all, cell) => all + (typeof cell === 'number' ? cell : NaN), 0);
  return Number.isNaN(sum) ? undefined : Number(sum.toPrecision(15));
}

/** A chart of the first figure minus the second: in basis points for yields, in percentage points for other percentages. */
export function buildDifference(figures: readonly BreakdownComponent[]): ListedChart[] {
  const [first, second] = figures;
  if (!first || !second || figures.length > 2) return [];
  const { kind, unit, decimals } = first.unitInfo;
  const { kind: otherKind, unit: otherUnit, roundedTo = 0 } = second.unitInfo;
  const values = first.values.map((value, index) => addUp([value, -(second.values[index] ?? NaN)]));
  const isComparable = kind === otherKind && unit === otherUnit;
  if (!isComparable || values.every((value) => value === undefined)) return [];
  const isYield = kind === 'percent' || kind === 'basisPoints';
  const isPoints = !isYield && isPercentage(first.unitInfo);
  const scale = kind === 'percent' || kind === 'share' ? 100 : 1;
  const unitInfo = {
    kind,
    unit,
    decimals,
    roundedTo: Math.max(roundedTo, first.unitInfo.roundedTo ?? 0),
  };
  const name = `${first.title} less ${second.title}`;
  const scaled = values.map((value) => value && value * scale);
  return [
    {
      heading: name,
      unit: isYield ? 'basis points' : isPoints ? 'pp' : (unit ?? ''),
      lines: [{ name, colorIndex: 7, values: scaled, isConnected: true }],
      layout: 'lines',
      format: (value) =>
        isPoints ? `${formatSigned(value, 1)} pp` : formatFigureChange(value / scale, unitInfo),
    },
  ];
}
