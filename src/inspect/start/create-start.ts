import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FileProfile } from '../inspect-file.ts';
import { createNestedStart } from './create-nested-start.ts';
import { createWideStart } from './create-wide-start.ts';
import { findMissing } from './field-plan.ts';
import { planObjects, toFlatTable, writeObjectsAdapter } from './plan-objects.ts';
import { planTable } from './plan-table.ts';
import type { Start } from './start.ts';
import { writeMapping } from './write-mapping.ts';
import { writeTableAdapter } from './write-table-adapter.ts';

/** Writes a start for a dataset; undefined where nothing in the file looks like a table. */
export function createStart(
  dataset: Dataset,
  file: FileProfile,
  wanted?: Start['kind'],
): Start | undefined {
  if (file.shapes.length > 0) return createJsonStart(dataset, file, wanted);
  return createWideStart(dataset, file) ?? createTableStart(dataset, file, wanted);
}

function createTableStart(
  dataset: Dataset,
  file: FileProfile,
  wanted: Start['kind'] | undefined,
): Start | undefined {
  const plan = planTable(dataset, file);
  if (!plan) return undefined;
  const { reasons, questions, fields } = plan;
  if (reasons.length > 0 || wanted === 'adapter') return writeTableAdapter(plan);
  const missing = findMissing(fields);
  return { kind: 'mapping', text: writeMapping(plan), reasons, missing, questions };
}

/** A mapping for a list of flat objects; else an adapter. */
function createJsonStart(
  dataset: Dataset,
  file: FileProfile,
  wanted: Start['kind'] | undefined,
): Start | undefined {
  const plan = planObjects(dataset, file);
  const nested = createNestedStart(plan);
  if (nested) return nested;
  const flat = wanted === 'adapter' ? undefined : toFlatTable(plan);
  const mapping = flat && createTableStart(dataset, flat, wanted);
  return mapping?.kind === 'mapping' ? mapping : writeObjectsAdapter(plan, mapping?.reasons);
}
