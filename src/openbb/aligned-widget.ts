import type { Dataset } from '../catalogue/model/dataset.ts';
import { formatTarget } from '../catalogue/model/format-target.ts';
import { alignedOperation } from '../catalogue/operations/aligned.ts';
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
    // Workspace would look for the part after a dot within an object.
    toRows: (record) => [
      Object.fromEntries(
        Object.entries(record).map(([column, figure]) => [column.replaceAll('.', '_'), figure]),
      ) as never,
    ],
    columns: [],
  };
}
