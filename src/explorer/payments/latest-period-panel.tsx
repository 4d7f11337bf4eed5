import { computeChange, formatPercent } from '../breakdown/changes.ts';
import type { BreakdownComponent } from '../breakdown/component.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { ChangeValue, NumberCell } from '../components/number-cell.tsx';
import { Panel } from '../components/panel.tsx';
import { getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { getChartModes } from './chart-modes.ts';
import { getUnits, type SeriesData } from './series-data.ts';

/** Every part of the newest period, with how it changed. */
export function LatestPeriodPanel({ series }: { readonly series: SeriesData }) {
  const { components, total, labels } = series;
  const title = `${labels.at(-1)} in figures`;
  const rows = total ? [total, ...components] : components;
  return (
    <Panel title={title} class="text-table narrow">
      <DataTable
        caption={`${title}, part by part`}
        columns={createComponentColumns(series)}
        rows={rows}
        getRowKey={({ key }) => key}
        isHighlighted={(component) => component === total}
      />
    </Panel>
  );
}

function createComponentColumns(series: SeriesData): TableColumn<BreakdownComponent>[] {
  const { total, periodsPerYear, periodNoun, allComponents } = series;
  const units = getUnits(allComponents);
  const columns: TableColumn<BreakdownComponent>[] = [
    {
      name: 'part',
      title: 'Part',
      isText: true,
      renderCell: ({ title, hint }) => <span title={hint}>{title}</span>,
    },
    {
      name: 'figure',
      title: 'Figure',
      unit: units.length === 1 ? units[0] : undefined,
      renderCell: ({ values, measure }) => (
        <>
          <NumberCell value={values.at(-1)} measure={measure} />
          {units.length > 1 && <small class="previous-value">{getUnit(measure)}</small>}
        </>
      ),
    },
  ];
  if (getChartModes(series).includes('share')) {
    columns.push({
      name: 'share',
      title: 'Share',
      unit: total?.isComputed ? 'of the sum' : 'of the total',
      renderCell: ({ values }) => formatShareOf(values.at(-1), total?.values.at(-1)),
    });
  }
  if (periodsPerYear !== undefined) columns.push(createChangeColumn('On the year', periodsPerYear));
  if (periodsPerYear !== 1) columns.push(createChangeColumn(`On the ${periodNoun} before`, 1));
  return columns;
}

function createChangeColumn(title: string, step: number): TableColumn<BreakdownComponent> {
  return {
    name: `change ${step}`,
    title,
    renderCell: ({ values, measure }) => (
      <ChangeValue
        value={computeChange(values.at(-1), values.at(-1 - step), measure)}
        measure={measure}
      />
    ),
  };
}

function formatShareOf(value: number | undefined, whole: number | undefined): string {
  return value === undefined || !whole ? NO_VALUE : formatPercent((value / whole) * 100);
}
