import type { Dataset } from '../../catalogue/model/dataset.ts';
import { classifyCell } from '../cell-kinds.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import { type JsonShape, profileMembers, toFileCell } from '../json-shape.ts';
import { askAboutCoupons } from './ask-about-table.ts';
import { quote, writeAccess } from './code.ts';
import { type FieldPlan, findMissing, isUsed } from './field-plan.ts';
import { fillTemplate } from './fill-template.ts';
import { findPeriodOfKeys } from './find-periods.ts';
import { inferOptions } from './infer-options.ts';
import { planFields } from './plan-fields.ts';
import type { Start } from './start.ts';
import { writeFunction, writeMembers } from './write-members.ts';

/** The objects of a JSON file that become records. */
export interface ObjectsPlan {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  readonly shape: JsonShape;
  /** The objects as a table. */
  readonly sheet: SheetProfile;
  readonly fields: readonly FieldPlan[];
}

/** Plans the objects that hold the most fields of a dataset. */
export function planObjects(dataset: Dataset, file: FileProfile): ObjectsPlan {
  const plans = file.shapes.map((shape): ObjectsPlan => {
    const sheet = toSheet(shape);
    const fields = planFields(dataset, file, sheet).map((plan) => withKeys(plan, dataset, shape));
    return { dataset, file, shape, sheet, fields };
  });
  const countFound = ({ fields }: ObjectsPlan) =>
    fields.filter(({ origin }) => origin.kind !== 'missing' && origin.kind !== 'constant').length;
  return plans.toSorted((a, b) => countFound(b) - countFound(a))[0] as ObjectsPlan;
}

function toSheet(shape: JsonShape): SheetProfile {
  const { names, objects, count } = shape;
  const none = { timeColumns: [], titles: [], days: [], totals: [], sections: [], notes: [] };
  return {
    ...none,
    name: '',
    rowCount: count,
    lastPosition: count,
    width: names.length,
    headers: [{ positions: [1], names, score: 1 }],
    columns: profileMembers(shape),
    dataRows: objects.map((object, index) => ({
      position: index + 1,
      cells: names.map((name) => toFileCell(object[name])),
    })),
    otherRows: [],
  };
}

const IDENTIFIERS = new Set(['symbol', 'isin', 'fund_id']);

/** A period or an identifier that is in the names above the object: `data.2024.Q1`. */
function withKeys(plan: FieldPlan, { period }: Dataset, shape: JsonShape): FieldPlan {
  const { field, origin } = plan;
  if (origin.kind !== 'missing') return plan;
  if (field === period?.field) {
    const code = findPeriodOfKeys(shape, period.kind)?.code;
    return code === undefined ? plan : { field, origin: { kind: 'keys', code } };
  }
  const isName = (name: string) => classifyCell(name).kind === 'text';
  const index = shape.keys.findIndex((names) => names.every(isName));
  if (!IDENTIFIERS.has(field) || index < 0) return plan;
  const keys = { kind: 'keys', code: `keys[${index}] ?? ''` } as const;
  return { field, origin: keys, check: 'the names above the objects' };
}

/** A list of flat objects as a table, which a mapping can be written for. */
export function toFlatTable({ file, shape, sheet }: ObjectsPlan): FileProfile | undefined {
  const isList = shape.path === '*' && shape.keys[0]?.[0] === '0';
  const isFlat = isList && !shape.names.some((name) => name.includes('.'));
  return isFlat && file.shapes.length === 1 ? { ...file, sheets: [sheet], shapes: [] } : undefined;
}

/** An adapter with a record for each object. */
export function writeObjectsAdapter(
  { dataset, file, shape, sheet, fields }: ObjectsPlan,
  reasons: readonly string[] = ['the records are nested'],
): Start {
  const used = sheet.columns.filter(({ name }) => isUsed(name, fields));
  const unused = shape.names.filter((name) => !isUsed(name, fields));
  const { options, questions } = inferOptions(used, dataset);
  const cell = (name: string) => writeAccess('value', name);
  const text = (name: string) => `String(${cell(name)} ?? '')`;
  const day = "findDate(file.name) ?? ''";
  const members = writeMembers(fields, { cell, text, day, decimal: options.decimal });
  const usesKeys = fields.some(({ origin }) => origin.kind === 'keys');
  return fillTemplate('objects', {
    dataset,
    fileName: file.name,
    reasons,
    missing: findMissing(fields),
    questions: [...questions, ...askAboutCoupons(dataset, fields)],
    remarks: [
      ...describeKeys(shape),
      ...(unused.length > 0 ? [`Not used: ${unused.join(', ')}.`] : []),
    ],
    options: { ...options, ...(usesKeys && dataset.period && { periods: 'sbp' }) },
    declarations: {
      PATH: quote(shape.path),
      toRecord: writeFunction(
        [`{ ${usesKeys ? 'keys, ' : ''}value }: JsonValue`, 'file: OpenedFile'],
        members,
        'RecordIn<typeof quotes>',
      ),
    },
  });
}

/** The names that stand for each `*` of the path. */
export function describeKeys({ path, keys }: JsonShape): string[] {
  const names = keys.map((found) => found.slice(0, 3).join(', '));
  return names.length > 0 ? [`In ${path}, * is ${names.join('; ')}.`] : [];
}
