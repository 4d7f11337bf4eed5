import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FileProfile } from '../inspect-file.ts';
import { chooseSheets } from './choose-sheets.ts';
import { createJsonStart } from './create-json-start.ts';
import { createTableStart } from './create-table-start.ts';
import { createWideStart } from './create-wide-start.ts';
import type { Start } from './start.ts';

/** Writes a start for a dataset; undefined where nothing in the file looks like a table. */
export function createStart(
  dataset: Dataset,
  file: FileProfile,
  wanted?: Start['kind'],
): Start | undefined {
  if (file.shapes.length > 0) return createJsonStart(dataset, file, wanted);
  const chosen = chooseSheets(dataset, file);
  return chosen && (createWideStart(chosen) ?? createTableStart(chosen, wanted));
}
