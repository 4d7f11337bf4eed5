import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FileProfile } from '../inspect-file.ts';
import type { FieldPlan } from './field-plan.ts';
import { planJson, toFlatTable } from './plan-json.ts';
import { planNested } from './plan-nested.ts';
import { planRows } from './plan-rows.ts';
import { writeJsonAdapter } from './write-json-adapter.ts';
import { writeMapping } from './write-mapping.ts';
import { writeNestedAdapter } from './write-nested-adapter.ts';
import { writeRowsAdapter } from './write-rows-adapter.ts';
import { planWide, writeWideAdapter } from './write-wide-adapter.ts';

/** A file to begin with: a mapping, or an adapter. */
export interface Start {
  readonly kind: 'mapping' | 'adapter';
  readonly text: string;
  /** Why it is an adapter; empty for a mapping. */
  readonly reasons: readonly string[];
  /** Required fields that the file does not hold. */
  readonly missing: readonly string[];
  /** What a person has to decide. */
  readonly questions: readonly string[];
}

/** Writes a start for a dataset; undefined where nothing in the file looks like a table. */
export function createStart(
  dataset: Dataset,
  file: FileProfile,
  wanted?: Start['kind'],
): Start | undefined {
  const wide = planWide(dataset, file);
  if (wide) {
    const { code, missing, questions } = writeWideAdapter(wide);
    const reasons = ['the periods are across the columns'];
    return { kind: 'adapter', text: code, reasons, missing, questions };
  }
  return createJsonStart(dataset, file, wanted) ?? createRowsStart(dataset, file, wanted);
}

function createRowsStart(
  dataset: Dataset,
  file: FileProfile,
  wanted: Start['kind'] | undefined,
): Start | undefined {
  const plan = planRows(dataset, file);
  if (!plan) return undefined;
  const { reasons, questions, fields } = plan;
  const isMapping = reasons.length === 0 && wanted !== 'adapter';
  const text = isMapping ? writeMapping(plan) : writeRowsAdapter(plan);
  return {
    kind: isMapping ? 'mapping' : 'adapter',
    text,
    reasons,
    missing: findMissing(fields),
    questions,
  };
}

const NESTED = ['the records are nested'];

function createJsonStart(
  dataset: Dataset,
  file: FileProfile,
  wanted: Start['kind'] | undefined,
): Start | undefined {
  const plan = planJson(dataset, file);
  if (!plan) return undefined;
  const nested = planNested(plan);
  if (nested) {
    const { code, missing, questions } = writeNestedAdapter(nested);
    return { kind: 'adapter', text: code, reasons: NESTED, missing, questions };
  }
  const flat = toFlatTable(plan);
  const rows = flat && planRows(dataset, flat);
  if (rows && rows.reasons.length === 0 && wanted !== 'adapter')
    return createRowsStart(dataset, flat, wanted);
  const { code, questions } = writeJsonAdapter(plan);
  const reasons = rows?.reasons ?? NESTED;
  return { kind: 'adapter', text: code, reasons, missing: findMissing(plan.fields), questions };
}

function findMissing(fields: readonly FieldPlan[]): string[] {
  return fields.flatMap(({ field, origin }) => (origin.kind === 'missing' ? [field] : []));
}
