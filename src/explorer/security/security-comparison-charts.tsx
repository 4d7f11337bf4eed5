import { useMemo, useState } from 'preact/hooks';
import type { DatasetEntry } from '../api/types.ts';
import { getMaxDecimals } from '../breakdown/compute-changes.ts';
import { Legend } from '../charts/legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { Swatch } from '../charts/swatch.tsx';
import { createDayTicks } from '../charts/ticks.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, getUnit, NO_VALUE, type UnitInfo } from '../formatting/numbers.ts';
import { Link, updateParams } from '../routing/view-route.tsx';
import { formatFigureChange, SPREAD } from './analytics.ts';
import { getField } from './quoted-security.ts';
import {
  computeDifference,
  getMeasureUnit,
  type Measure,
  type SecurityComparison,
  summarizeLine,
} from './security-comparison.ts';

interface SecurityComparisonChartsProps {
  readonly entry: DatasetEntry;
  readonly measure: Measure;
  readonly comparison: SecurityComparison;
}

/** The lines of several securities, of two also their difference, and a table of what they show. */
export function SecurityComparisonCharts(props: SecurityComparisonChartsProps) {
  const { entry, measure, comparison } = props;
  const { lines } = comparison;
  const unitInfo = getMeasureUnit(measure, entry);
  const difference = useMemo(
    () => buildDifferenceLine(comparison, unitInfo),
    [comparison, measure],
  );
  const chartProps = useChartProps(comparison);
  const heading = describeMeasure(measure, comparison, entry);
  const missing = lines.filter(({ values }) => values.every((value) => value === undefined));
  const unit = getUnit(unitInfo);
  return (
    <div class="charts">
      <div data-heading={heading}>
        <h3>{heading}</h3>
        <Legend items={lines.map(({ name, colorIndex }) => ({ name, colorIndex, mark: 'line' }))} />
        <LineChart
          {...chartProps}
          label={heading}
          lines={lines}
          height={340}
          format={(value) =>
            `${formatFigure(value, unitInfo)} ${unit.length <= 2 ? unit : ''}`.trim()
          }
        />
      </div>
      {difference && (
        <div data-heading={difference.line.name}>
          <h3>{difference.line.name}</h3>
          <LineChart
            {...chartProps}
            label={difference.line.name}
            lines={[difference.line]}
            height={190}
            format={(value) => formatFigureChange(value, difference.unitInfo)}
          />
        </div>
      )}
      {missing.length > 0 && (
        <p class="help">
          No such figures in this range: {missing.map(({ name }) => name).join(', ')}.
        </p>
      )}
      <ComparisonTable {...props} />
    </div>
  );
}

/** Properties that both charts have, with a cursor that they share. */
function useChartProps({ days, lines }: SecurityComparison) {
  const [cursor, setCursor] = useState<{ days: typeof days; index: number | undefined }>();
  const xs = useMemo(() => days.map((day) => Date.parse(day)), [days]);
  // The chart of the difference has as much room, so that the days of both are aligned.
  const labelNames = useMemo(() => lines.map(({ name }) => name), [lines]);
  return {
    xs,
    layout: 'lines' as const,
    ticks: createDayTicks,
    minAxisCharacters: 7,
    labelNames,
    getPointLabel: (index: number) => formatDayLabel(days[index] ?? ''),
    // The index of a hovered point only holds for the days that it belongs to.
    cursor: cursor?.days === days ? cursor.index : undefined,
    onCursor: (index: number | undefined) => setCursor({ days, index }),
    onRangeSelect: (from: number, to: number) => updateParams({ from: days[from], to: days[to] }),
  };
}

/** Yields, which are in percent, differ by basis points. */
function buildDifferenceLine(comparison: SecurityComparison, { kind }: UnitInfo) {
  const [first, second] = comparison.lines;
  const values = computeDifference(comparison, kind === 'percent' ? 100 : 1);
  if (!values) return undefined;
  const isBasisPoints = kind === 'percent' || kind === 'basisPoints';
  const name = `${first?.name} less ${second?.name}${isBasisPoints ? ', basis points' : ''}`;
  const unitInfo = isBasisPoints ? SPREAD : { kind, unit: null };
  return { unitInfo, line: { name, colorIndex: 7, values, isConnected: true } };
}

function describeMeasure(
  measure: Measure,
  { baseDay }: SecurityComparison,
  entry: DatasetEntry,
): string {
  if (measure === 'spread') return `${SPREAD.title}, basis points`;
  const field = getField(entry, measure === 'yield' ? 'ytm' : 'lastPrice');
  if (measure !== 'rebased') return `${field.meaning}, ${getUnit(field)}`;
  return baseDay === undefined
    ? `${field.meaning}, 100 on the first day of each`
    : `${field.meaning}, 100 on ${formatDayLabel(baseDay)}`;
}

type SummaryRow = ReturnType<typeof summarizeLine>;

function ComparisonTable({ entry, measure, comparison }: SecurityComparisonChartsProps) {
  const { days, lines } = comparison;
  const { kind, unit: fieldUnit } = getMeasureUnit(measure, entry);
  const decimals = getMaxDecimals(lines.flatMap(({ values }) => values));
  const unitInfo = { kind, unit: fieldUnit, decimals };
  const unit = getUnit(unitInfo);
  const createColumn = (name: keyof SummaryRow, title: string): TableColumn<SummaryRow> => ({
    name,
    title,
    unit: name === 'change' ? 'over the range' : unit,
    renderCell: (row) => row[name] ?? NO_VALUE,
  });
  const columns: TableColumn<SummaryRow>[] = [
    {
      name: 'symbol',
      title: 'Security',
      isText: true,
      renderCell: ({ symbol, colorIndex }) => (
        <span class={`class-label color-${colorIndex}`}>
          <Swatch colorIndex={colorIndex} mark="line" />
          <Link view="security" params={{ symbol }}>
            {symbol}
          </Link>
        </span>
      ),
    },
    createColumn('newest', 'Newest'),
    createColumn('change', 'Change'),
    createColumn('low', 'Low'),
    createColumn('high', 'High'),
  ];
  return (
    <DataTable
      caption={`Compared from ${formatDayLabel(days[0] ?? '')} to ${formatDayLabel(days.at(-1) ?? '')}`}
      columns={columns}
      rows={lines.map((line) => summarizeLine(line, unitInfo))}
      getRowKey={({ symbol }) => symbol}
    />
  );
}
