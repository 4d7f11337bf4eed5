import type { Dataset } from '../../catalogue/model/dataset.ts';
import { classifyCell } from '../cell-kinds.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { JsonShape } from '../json-shape.ts';
import { type ColumnProfile, profileColumn } from '../profile-column.ts';
import type { FieldPlan } from './field-plan.ts';
import { findPeriodOfKeys } from './period-of-keys.ts';
import { planFields } from './plan-fields.ts';

/** The objects of a JSON file that become records. */
export interface JsonPlan {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  readonly shape: JsonShape;
  /** The objects as a table. */
  readonly sheet: SheetProfile;
  readonly fields: readonly FieldPlan[];
}

/** Plans the objects that hold the most fields of a dataset; undefined where there are none. */
export function planJson(dataset: Dataset, file: FileProfile): JsonPlan | undefined {
  const plans = file.shapes.map((shape): JsonPlan => {
    const sheet = toSheet(shape);
    const fields = planFields(dataset, file, sheet).map((plan) => withKeys(plan, dataset, shape));
    return { dataset, file, shape, sheet, fields };
  });
  const countFound = ({ fields }: JsonPlan) =>
    fields.filter(({ origin }) => origin.kind !== 'missing' && origin.kind !== 'constant').length;
  return plans.toSorted((a, b) => countFound(b) - countFound(a))[0];
}

/** The members of the objects, as if they were columns. */
export function profileMembers({ names, objects }: JsonShape): ColumnProfile[] {
  return names.map((name, index) =>
    profileColumn(
      name,
      index,
      objects.map((object) => toCell(object[name])),
    ),
  );
}

/** What is neither text nor a number, as JSON. */
const toCell = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string'
    ? value
    : value == null
      ? null
      : JSON.stringify(value);

function toSheet(shape: JsonShape): SheetProfile {
  const { names, objects, count } = shape;
  const dataRows = objects.map((object, index) => ({
    position: index + 1,
    cells: names.map((name) => toCell(object[name])),
  }));
  const none = { timeColumns: [], titles: [], days: [], totals: [], sections: [], notes: [] };
  return {
    ...none,
    name: '',
    rowCount: count,
    lastPosition: count,
    width: names.length,
    headers: [{ positions: [1], names, score: 1 }],
    columns: profileMembers(shape),
    dataRows,
  };
}

/** A period or an identifier that is in the names above the object: `data.2024.Q1`. */
function withKeys(plan: FieldPlan, { period }: Dataset, shape: JsonShape): FieldPlan {
  const { field, origin } = plan;
  if (origin.kind !== 'missing') return plan;
  if (IDENTIFIERS.has(field)) {
    const index = shape.keys.findIndex((names) =>
      names.every((name) => classifyCell(name).kind === 'text'),
    );
    const keys = { kind: 'keys', code: `keys[${index}] ?? ''` } as const;
    return index < 0 ? plan : { field, origin: keys, check: 'the names above the objects' };
  }
  if (field !== period?.field) return plan;
  const code = findPeriodOfKeys(shape, period.kind)?.code;
  return code === undefined ? plan : { field, origin: { kind: 'keys', code } };
}

const IDENTIFIERS = new Set(['symbol', 'isin', 'fund_id']);

/** A list of flat objects as a table, which a mapping can be written for. */
export function toFlatTable({ file, shape, sheet }: JsonPlan): FileProfile | undefined {
  const isList = shape.path === '*' && shape.keys[0]?.[0] === '0';
  const isFlat = isList && !shape.names.some((name) => name.includes('.'));
  return isFlat && file.shapes.length === 1 ? { ...file, sheets: [sheet], shapes: [] } : undefined;
}
