import type { ComponentChildren } from 'preact';
import {
  createColumn,
  createTextColumn,
  DataTable,
  type DataTableColumn,
} from '../components/data-table.tsx';
import { formatPeriodLabel } from '../formatting/dates.ts';
import { formatWithUnit } from '../formatting/numbers.ts';
import { type ParamChanges, ViewLink } from '../routing/view-route.tsx';
import type { ChartMode } from '../series/chart-configs.ts';
import { SeriesCharts } from '../series/series-charts.tsx';
import type { ComparedFigure, Comparison, FigureSource } from './build-comparison.ts';

interface ComparisonChartsProps<Source extends FigureSource> {
  readonly comparison: Comparison<Source>;
  readonly mode: ChartMode;
  /** A control that exchanges a figure, below its name. */
  readonly renderChoice?: (figure: ComparedFigure<Source>) => ComponentChildren;
  /** The column with the changes of the newest figures. */
  readonly change: {
    readonly title: string;
    readonly render: (figure: ComparedFigure<Source>, newest: number) => ComponentChildren;
  };
  readonly remove: (figure: Source) => ParamChanges;
  readonly onRangeSelect?: (from: number, to: number) => void;
}

/** A chart of the figures for each unit, the difference of exactly two, and a table that describes them. */
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
        <ViewLink {...figure.route}>{figure.title}</ViewLink>
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
        columns={columns}
        rows={figures}
        getRowKey={({ key }) => key}
      />
    </div>
  );
}

const NONE: readonly [] = [];
