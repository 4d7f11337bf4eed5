import type { ComponentChildren } from 'preact';
import {
  createColumn,
  createTextColumn,
  DataTable,
  type DataTableColumn,
} from '../components/data-table.tsx';
import { formatPeriodLabel } from '../formatting/dates.ts';
import { formatWithUnit } from '../formatting/numbers.ts';
import { Link, type ParamChanges } from '../routing/view-route.tsx';
import type { ChartMode } from '../series/chart-configs.ts';
import { SeriesCharts } from '../series/series-charts.tsx';
import type { ComparedFigure, Comparison, FigureSource } from './build-comparison.ts';

interface ComparisonChartsProps<Source extends FigureSource> {
  readonly comparison: Comparison<Source>;
  readonly mode: ChartMode;
  /** Exchanges a figure, below its name. */
  readonly renderChoice?: (figure: ComparedFigure<Source>) => ComponentChildren;
  /** The column of changes of the newest figures, which have this index. */
  readonly change: {
    readonly title: string;
    readonly render: (figure: ComparedFigure<Source>, newest: number) => ComponentChildren;
  };
  /** The URL parameters without a figure. */
  readonly remove: (figure: Source) => ParamChanges;
  readonly onRangeSelect?: (from: number, to: number) => void;
}

/** Figures on one chart for each unit, of two also their difference, and a table of what they are. */
export function ComparisonCharts<Source extends FigureSource>(
  props: ComparisonChartsProps<Source>,
) {
  const { comparison, renderChoice, change, remove, ...rest } = props;
  const { components: figures, labels } = comparison;
  type Figure = ComparedFigure<Source>;
  const findNewest = ({ values }: Figure) => values.findLastIndex((value) => value !== undefined);
  const columns: DataTableColumn<Figure>[] = [
    createTextColumn('name', 'Name', (figure) => (
      <>
        <Link {...figure.route}>{figure.title}</Link>
        {renderChoice?.(figure)}
      </>
    )),
    createColumn('newest', 'Newest', (figure) => (
      <>
        {formatWithUnit(figure.values[findNewest(figure)], figure.unitInfo)}
        <small class="previous-value">{formatPeriodLabel(labels[findNewest(figure)] ?? '')}</small>
      </>
    )),
    createColumn('change', change.title, (figure) => change.render(figure, findNewest(figure))),
  ];
  return (
    <div class="charts">
      <SeriesCharts
        {...rest}
        title={figures.map(({ title }) => title).join(' and ')}
        series={comparison}
        corrections={NONE}
        getRemoval={(key) => {
          const figure = figures.find((each) => each.key === key && !each.isFixed);
          return figure && remove(figure);
        }}
      />
      <DataTable
        caption="What is compared"
        {...{ columns }}
        rows={figures}
        getRowKey={({ key }) => key}
      />
    </div>
  );
}

const NONE: readonly [] = [];
