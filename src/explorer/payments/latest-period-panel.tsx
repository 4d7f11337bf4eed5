import { type BreakdownComponent, formatPercent } from '../breakdown/breakdown-components.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { ChangeValue, NumberCell } from '../components/table-cells.tsx';
import { getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { getChartModes } from './chart-configs.ts';
import { listUnits, type SeriesData } from './series-data.ts';

/** The figures of the newest period, by component. */
export function LatestPeriodPanel({ series }: { readonly series: SeriesData }) {
  const { components, total, labels } = series;
  const title = `${labels.at(-1)} in figures`;
  return (
    <Panel title={title} class="text-table narrow">
      <DataTable
        caption={`${title}, by component`}
        columns={createComponentColumns(series)}
        rows={total ? [total, ...components] : components}
        getRowKey={({ key }) => key}
        isHighlighted={(component) => component === total}
      />
    </Panel>
  );
}

function createComponentColumns(series: SeriesData): TableColumn<BreakdownComponent>[] {
  const { total, periodsPerYear, periodNoun, allComponents } = series;
  const units = listUnits(allComponents);
  const columns: TableColumn<BreakdownComponent>[] = [
    {
      name: 'component',
      title: 'Component',
      isText: true,
      renderCell: ({ title, hint }) => <span title={hint}>{title}</span>,
    },
    {
      name: 'figure',
      title: 'Figure',
      unit: units.length === 1 ? units[0] : undefined,
      renderCell: ({ values, unitInfo }) => (
        <>
          <NumberCell value={values.at(-1)} unitInfo={unitInfo} />
          {units.length > 1 && <small class="previous-value">{getUnit(unitInfo)}</small>}
        </>
      ),
    },
  ];
  if (getChartModes(series).includes('share')) {
    columns.push({
      name: 'share',
      title: 'Share',
      unit: total?.isComputed ? 'of the sum' : 'of the total',
      renderCell: ({ values }) => formatShare(values.at(-1), total?.values.at(-1)),
    });
  }
  columns.push(createChangeColumn('On the year', periodsPerYear));
  if (periodsPerYear !== 1) columns.push(createChangeColumn(`On the ${periodNoun} before`, 1));
  return columns;
}

function createChangeColumn(title: string, step: number): TableColumn<BreakdownComponent> {
  return {
    name: `change ${step}`,
    title,
    renderCell: ({ values, unitInfo }) => (
      <ChangeValue later={values.at(-1)} earlier={values.at(-1 - step)} unitInfo={unitInfo} />
    ),
  };
}

function formatShare(value: number | undefined, total: number | undefined): string {
  return value === undefined || !total ? NO_VALUE : formatPercent((value / total) * 100);
}
