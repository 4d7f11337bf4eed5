import type { JsonRecord } from '../api/types.ts';
import type { BreakdownComponent } from '../breakdown/breakdown-components.ts';
import { isPercentage, unifyDecimals } from '../breakdown/compute-changes.ts';
import { buildPeriodTimeline } from '../breakdown/period-timeline.ts';
import type { ListedChart } from '../charts/chart-data.ts';
import { formatFigureChange, formatSigned } from '../formatting/numbers.ts';
import type { View } from '../routing/views.ts';

/** A figure to compare: the sum of columns of an aligned table. */
export interface FigureSource extends Omit<BreakdownComponent, 'field' | 'values'> {
  /** The page of what has this figure. */
  readonly route: { readonly view: View; readonly params: Readonly<Record<string, string>> };
  readonly columns: readonly string[];
  /** Whether 0 means that there is no figure. */
  readonly isZeroMissing?: boolean;
  /** Whether it cannot be removed. */
  readonly isFixed?: boolean;
}

export type ComparedFigure<Source extends FigureSource> = Source & BreakdownComponent;

/** Compared figures, which are drawn like the components of a series. */
export type Comparison<Source extends FigureSource = FigureSource> = ReturnType<
  typeof buildComparison<Source>
>;

/** Figures from the rows of a table; `isSparse` leaves out periods that none of them has. */
export function buildComparison<Source extends FigureSource>(
  sources: readonly Source[],
  table: readonly JsonRecord[],
  kind: string,
  isSparse = false,
) {
  const rows = table.filter((row) =>
    sources.some((source) => sumColumns(source, row) !== undefined),
  );
  const timeline = buildPeriodTimeline({ period: { field: 'period', kind } }, rows, isSparse);
  const components = sources.map((source): ComparedFigure<Source> => {
    const values = timeline.records.map((row) => sumColumns(source, row));
    return unifyDecimals({ ...source, field: '', values });
  });
  const lines = { kind: 'lines', total: undefined } as const;
  return { ...timeline, ...lines, components, allComponents: components };
}

function sumColumns(
  { columns, isZeroMissing }: FigureSource,
  row: JsonRecord | undefined,
): number | undefined {
  const sum = addUp(columns.map((column) => row?.[column]));
  return isZeroMissing && sum === 0 ? undefined : sum;
}

/** Without the errors of binary fractions; undefined unless all are numbers. */
function addUp(cells: readonly unknown[]): number | undefined {
  const sum = cells.reduce<number>((all, cell) => all + (typeof cell === 'number' ? cell : NaN), 0);
  return Number.isNaN(sum) ? undefined : Number(sum.toPrecision(15));
}

/** A chart of the first of two figures less the second: yields differ by basis points, other percentages by points. */
export function buildDifference(figures: readonly BreakdownComponent[]): ListedChart[] {
  const [first, second] = figures;
  if (!first || !second || figures.length > 2) return [];
  const { kind, unit } = first.unitInfo;
  const { kind: otherKind, unit: otherUnit, decimals = 0 } = second.unitInfo;
  const values = first.values.map((value, index) => addUp([value, -(second.values[index] ?? NaN)]));
  const isComparable = kind === otherKind && unit === otherUnit;
  if (!isComparable || values.every((value) => value === undefined)) return [];
  const isYield = kind === 'percent' || kind === 'basisPoints';
  const isPoints = !isYield && isPercentage(first.unitInfo);
  const scale = kind === 'percent' || kind === 'share' ? 100 : 1;
  const unitInfo = { kind, unit, decimals: Math.max(decimals, first.unitInfo.decimals ?? 0) };
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
