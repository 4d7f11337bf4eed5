import type { JsonRecord } from '../api/types.ts';
import type { ViewName } from '../routing/views.ts';
import type { BreakdownComponent } from '../series/breakdown-components.ts';
import { addUp, unifyDecimals } from '../series/compute-changes.ts';
import { buildPeriodTimeline } from '../series/period-timeline.ts';

/** A figure to compare: the sum of columns of an aligned table. */
export interface FigureSource extends Omit<BreakdownComponent, 'field' | 'values'> {
  /** The page with the series or security of this figure. */
  readonly route: { readonly view: ViewName; readonly params: Readonly<Record<string, string>> };
  readonly columns: readonly string[];
  /** Whether 0 means no figure. */
  readonly isZeroMissing?: boolean;
  readonly isFixed?: boolean;
}

export type ComparedFigure<Source extends FigureSource> = Source & BreakdownComponent;

/** Compared figures, which are drawn like the components of a series. */
export type Comparison<Source extends FigureSource = FigureSource> = ReturnType<
  typeof buildComparison<Source>
>;

/** Figures from the rows of a table; `isSparse` leaves out periods without any figure. */
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
  const lines = { kind: 'lines', total: undefined, hasMainFirst: false } as const;
  return { ...timeline, ...lines, components, allComponents: components };
}

function sumColumns(
  { columns, isZeroMissing }: FigureSource,
  row: JsonRecord | undefined,
): number | undefined {
  const sum = addUp(columns.map((column) => row?.[column]));
  return isZeroMissing && sum === 0 ? undefined : sum;
}
