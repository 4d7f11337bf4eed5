import { catalogue } from '../../catalogue/index.ts';
import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import type { LoadReport } from '../../publish/load/load-report.ts';
import { formatReport } from '../format-report.ts';
import { createRowLayout } from './dataset-table.ts';
import { buildGenericTable, flattenObject } from './generic-table.ts';
import type { QueryTable } from './query-table.ts';

/** A revision, what was noticed about its load, and the records it changed: before, after or both. */
export function buildRevisionTable({ changes, report, ...entry }: AnyRecord): QueryTable {
  const about = flattenObject(entry);
  const notes = formatReport(report as Partial<LoadReport>);
  const dataset = catalogue.find(({ name }) => name === entry.dataset);
  const sides = (changes as readonly ChangeEntry[]).flatMap(({ change, old, new: now }) => {
    const isBoth = old !== null && now !== null;
    return [
      ...(old ? [{ change: isBoth ? `${change} from` : change, record: old }] : []),
      ...(now ? [{ change: isBoth ? `${change} to` : change, record: now }] : []),
    ];
  });
  if (!dataset) return { ...buildGenericTable(sides), attributes: about, notes };
  const { columns, toRows } = createRowLayout(
    dataset,
    sides.map(({ record }) => record),
  );
  return {
    attributes: about,
    notes,
    columns: [{ name: 'change', isKey: true }, ...columns],
    rows: sides.flatMap(({ change, record }) => toRows(record).map((cells) => [change, ...cells])),
    rowNoun: 'row',
  };
}

interface ChangeEntry {
  readonly change: string;
  readonly old: AnyRecord | null;
  readonly new: AnyRecord | null;
}
