import type { Dataset } from '../../catalogue/model/dataset.ts';
import { toText } from '../find-header.ts';
import type { SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { matchFields } from './match-fields.ts';
import { getTargets } from './plan-context.ts';

/** The column that names the rows of a table with periods across its columns. */
export function findRowLabels({ columns, timeColumns }: SheetProfile): ColumnProfile | undefined {
  if (timeColumns.length === 0) return undefined;
  const isTime = (index: number) => timeColumns.some((column) => column.index === index);
  return columns.find(({ kind, index }) => kind === 'text' && !isTime(index));
}

/** The rows whose names are those of fields. */
export function matchRows(dataset: Dataset, sheet: SheetProfile, labels: ColumnProfile) {
  const texts = [
    ...sheet.dataRows.map(({ cells }) => toText(cells[labels.index])),
    ...sheet.totals.map(({ text }) => text.replace(/[\s\d.,%()-]+$/, '')),
  ];
  return matchNames(dataset, [...new Set(texts.filter((text) => text !== ''))]);
}

/** The names of figures that are those of fields. */
export function matchNames(dataset: Dataset, names: readonly string[]) {
  const { fields, lists } = getTargets(dataset);
  const sources = names.map((name) => ({ name, kind: 'number' as const, kinds: {} }));
  const figures = new Map([...fields].filter(([, { field }]) => !field.periodKind));
  const matches = matchFields(sources, { fields: figures, lists });
  const missing = [...figures].filter(
    ([name, { isOptional }]) => !isOptional && !matches.some(({ field }) => field === name),
  );
  return {
    rows: matches.map(({ field, source }) => [source.name, field] as const),
    missing: missing.map(([name]) => name),
    unmatched: names.filter((name) => !matches.some(({ source }) => source.name === name)),
  };
}
