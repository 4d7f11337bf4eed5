import { Swatch } from '../charts/swatch.tsx';
import type { TableColumn } from '../components/data-table.tsx';
import { Select } from '../components/select.tsx';
import { ChangeValue } from '../components/table-cells.tsx';
import { formatWithUnit } from '../formatting/numbers.ts';
import { updateParams } from '../routing/view-route.tsx';
import {
  type ComparedFigure,
  type FigureReference,
  formatFigureReferences,
} from './series-comparison.ts';

/** The compared figures, each of which can be exchanged for another of its series. */
export function createComparedColumns(
  names: readonly FigureReference[],
): TableColumn<ComparedFigure>[] {
  return [
    {
      name: 'series',
      title: 'Series',
      isText: true,
      renderCell: ({ title, colorIndex }) => (
        <span class={`class-label color-${colorIndex}`}>
          <Swatch {...{ colorIndex }} mark="line" />
          {title}
        </span>
      ),
    },
    {
      name: 'figure',
      title: 'Figure',
      isText: true,
      renderCell: (row) => renderFigureSelect(row, names),
    },
    {
      name: 'newest',
      title: 'Newest',
      renderCell: ({ component: { values, unitInfo }, series }) => (
        <>
          {formatWithUnit(values.at(-1), unitInfo)}
          <small class="previous-value">{series.labels.at(-1)}</small>
        </>
      ),
    },
    {
      name: 'growth',
      title: 'On the year',
      renderCell: ({ component: { values, unitInfo }, series }) => (
        <ChangeValue
          later={values.at(-1)}
          earlier={values.at(-1 - series.periodsPerYear)}
          unitInfo={unitInfo}
        />
      ),
    },
  ];
}

function renderFigureSelect(row: ComparedFigure, names: readonly FigureReference[]) {
  const { title, series, component } = row;
  const options = [...(series.total?.isComputed ? [series.total] : []), ...series.allComponents];
  const setKey = (key: string) => {
    const isComputed = key === series.total?.key && series.total.isComputed;
    const next = names.map((name) =>
      name === row.name ? { ...name, key: isComputed ? undefined : key } : name,
    );
    updateParams({ compare: formatFigureReferences(next) });
  };
  return (
    <Select
      label={`Figure of ${title}`}
      options={options.map((option) => ({ key: option.key, text: option.title }))}
      value={component.key}
      onChange={setKey}
    />
  );
}
