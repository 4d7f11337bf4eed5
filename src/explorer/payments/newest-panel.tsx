import { changeBetween, percentWords } from '../composition/changes.ts';
import { Change, FigureCell } from '../composition/figure-cell.tsx';
import type { Part } from '../composition/part.ts';
import { NONE, unitOf } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { modesOf } from './modes.ts';
import { type Series, unitsOf } from './series.ts';

/** Every part of the newest period, with how it changed. */
export function NewestPanel({ series }: { readonly series: Series }) {
  const { parts, whole, labels } = series;
  const title = `${labels.at(-1)} in figures`;
  const rows = whole ? [whole, ...parts] : parts;
  return (
    <Panel title={title} class="worded narrow">
      <Table
        caption={`${title}, part by part`}
        columns={columnsOf(series)}
        rows={rows}
        keyOf={({ key }) => key}
        isMarked={(part) => part === whole}
      />
    </Panel>
  );
}

function columnsOf(series: Series): Column<Part>[] {
  const { whole, perYear, noun, figures } = series;
  const units = unitsOf(figures);
  const columns: Column<Part>[] = [
    {
      name: 'part',
      title: 'Part',
      isText: true,
      cell: ({ title, hint }) => <span title={hint}>{title}</span>,
    },
    {
      name: 'figure',
      title: 'Figure',
      unit: units.length === 1 ? units[0] : undefined,
      cell: ({ values, measure }) => (
        <>
          <FigureCell value={values.at(-1)} measure={measure} />
          {units.length > 1 && <small class="former">{unitOf(measure)}</small>}
        </>
      ),
    },
  ];
  if (modesOf(series).includes('share')) {
    columns.push({
      name: 'share',
      title: 'Share',
      unit: whole?.isSum ? 'of the sum' : 'of the total',
      cell: ({ values }) => shareWords(values.at(-1), whole?.values.at(-1)),
    });
  }
  if (perYear !== undefined) columns.push(changeColumn('On the year', perYear));
  if (perYear !== 1) columns.push(changeColumn(`On the ${noun} before`, 1));
  return columns;
}

function changeColumn(title: string, step: number): Column<Part> {
  return {
    name: `change ${step}`,
    title,
    cell: ({ values, measure }) => (
      <Change
        value={changeBetween(values.at(-1), values.at(-1 - step), measure)}
        measure={measure}
      />
    ),
  };
}

function shareWords(value: number | undefined, whole: number | undefined): string {
  return value === undefined || !whole ? NONE : percentWords((value / whole) * 100);
}
