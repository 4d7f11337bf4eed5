import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { formatTarget } from '../catalogue/model/format-target.ts';
import { alignedOperation } from '../operations/aligned/aligned-operation.ts';
import type { WidgetRow } from './columns.ts';
import { selectParameters, type Widget } from './widget.ts';

/** Figures of several datasets in one table, whose columns its user chooses. */
export function createAlignedWidget(catalogue: readonly Dataset[]): Widget {
  const { name, title, path, parameters } = alignedOperation(catalogue);
  return {
    name,
    title,
    description:
      'Figures of several datasets by period, newest first, a column for each: such as curve.par(tenor=10Y) or atm-transactions-quarterly-value.total:pc1.',
    parameters: selectParameters(parameters),
    toTarget: (texts) => formatTarget(path, texts),
    toRows: (record) => [renameColumns(record)],
    columns: [],
  };
}

/** Names without dots, since Workspace would look for the part after one within an object. */
function renameColumns(record: AnyRecord): WidgetRow {
  const figures = new Map<string, unknown>();
  for (const [column, figure] of Object.entries(record)) {
    let name = column.replaceAll('.', '_');
    // Values such as a.b and a_b would get one name.
    while (figures.has(name)) name += '_';
    figures.set(name, figure);
  }
  return Object.fromEntries(figures) as WidgetRow;
}
