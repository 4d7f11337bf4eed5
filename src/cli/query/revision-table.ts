import { catalogue } from '../../catalogue/index.ts';
import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import type { LoadReport } from '../../publish/load/load-report.ts';
import { formatReport } from '../format-report.ts';
import { createRowLayout } from './dataset-table.ts';
import { buildGenericTable, flattenObject } from './generic-table.ts';
import type { QueryTable } from './query-table.ts';

/** A revision, the report of its load, and the old and new versions of its records. */
export function buildRevisionTable({ changes, report, ...entry }: AnyRecord): QueryTable {
  const attributes = flattenObject(entry);
  const notes = formatReport(report as Partial<LoadReport>);
  const dataset = catalogue.find(({ name }) => name === entry.dataset);
  const versions = (changes as readonly ChangeEntry[]).flatMap(({ change, old, new: current }) => {
    if (old && current) {
      return [
        { change: `${change} from`, record: old },
        { change: `${change} to`, record: current },
      ];
    }
    const record = old ?? current;
    return record ? [{ change, record }] : [];
  });
  if (!dataset) return { ...buildGenericTable(versions), attributes, notes };
  const { columns, toRows } = createRowLayout(
    dataset,
    versions.map(({ record }) => record),
  );
  return {
    attributes,
    notes,
    columns: [{ name: 'change', isKey: true }, ...columns],
    rows: versions.flatMap(({ change, record }) =>
      toRows(record).map((cells) => [change, ...cells]),
    ),
    rowNoun: 'row',
  };
}

interface ChangeEntry {
  readonly change: string;
  readonly old: AnyRecord | null;
  readonly new: AnyRecord | null;
}
