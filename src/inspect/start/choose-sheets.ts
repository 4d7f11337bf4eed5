import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import { matchFields } from './match-fields.ts';
import { findRowLabels, matchRows } from './match-rows.ts';
import { getTargets } from './plan-context.ts';

/**
 * The sheets with one header that hold the most fields of a dataset, then the most sheets and rows;
 * or those that have the header of the sheet that was asked for. Undefined where none has a header.
 */
export function chooseSheets(
  dataset: Dataset,
  { sheets, sheet: chosen }: FileProfile,
): readonly [SheetProfile, ...SheetProfile[]] | undefined {
  const tables = sheets.filter(
    ({ name, headers, dataRows }) =>
      headers.length > 0 && dataRows.length > 0 && (chosen === undefined || name === chosen),
  );
  const groups = Map.groupBy(tables, ({ headers }) =>
    (headers[0]?.names ?? []).map((name) => name.toLowerCase()).join('\t'),
  );
  const ranked = [...groups.values()].map((group) => ({
    group,
    fields: group[0] ? countFields(dataset, group[0]) : 0,
    rows: group.reduce((sum, { rowCount }) => sum + rowCount, 0),
  }));
  const [best] = ranked.toSorted(
    (a, b) => b.fields - a.fields || b.group.length - a.group.length || b.rows - a.rows,
  );
  const [first, ...others] = best?.group ?? [];
  return first && [first, ...others];
}

function countFields(dataset: Dataset, sheet: SheetProfile): number {
  const columns = sheet.columns.filter(({ name }) => name !== '');
  const labels = findRowLabels(sheet);
  const rows = labels ? matchRows(dataset, sheet, labels).rows.length : 0;
  return rows + matchFields(columns, getTargets(dataset)).length;
}
