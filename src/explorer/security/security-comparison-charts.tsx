import { useMemo } from 'preact/hooks';
import type { DatasetEntry } from '../api/types.ts';
import { getMaxDecimals } from '../breakdown/compute-changes.ts';
import { Legend } from '../charts/legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { Swatch } from '../charts/swatch.tsx';
import {
  createColumn,
  createTextColumn,
  DataTable,
  type TableColumn,
} from '../components/data-table.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, getUnit, NO_VALUE, type UnitInfo } from '../formatting/numbers.ts';
import { Link } from '../routing/view-route.tsx';
import { formatFigureChange, SPREAD } from './analytics.ts';
import { getField } from './quoted-security.ts';
import { useDayAxis } from './security-charts.tsx';
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
  // The chart of the difference has as much room, so that the days of both are aligned.
  const labelNames = useMemo(() => lines.map(({ name }) => name), [lines]);
  const chartProps = { ...useDayAxis(comparison.days), labelNames, layout: 'lines' } as const;
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
  const createFigureColumn = (name: keyof SummaryRow, title: string): TableColumn<SummaryRow> => ({
    ...createColumn(name, title, (row) => row[name] ?? NO_VALUE),
    unit: name === 'change' ? 'over the range' : unit,
  });
  const columns: TableColumn<SummaryRow>[] = [
    createTextColumn('symbol', 'Security', ({ symbol, colorIndex }) => (
      <span class={`class-label color-${colorIndex}`}>
        <Swatch colorIndex={colorIndex} mark="line" />
        <Link view="security" params={{ symbol }}>
          {symbol}
        </Link>
      </span>
    )),
    createFigureColumn('newest', 'Newest'),
    createFigureColumn('change', 'Change'),
    createFigureColumn('low', 'Low'),
    createFigureColumn('high', 'High'),
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
