import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ItemStream } from '../../formats/read-contents.ts';
import { InvalidFileError } from '../../formats/read-contents.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import { AmbiguousColumnsError, createColumnPlanner } from '../mapping/column-plan.ts';
import { MissingColumnError } from '../mapping/field-expression.ts';
import type { FieldTargets } from '../mapping/field-targets.ts';
import { getFieldTargets, getFundRowTargets } from '../mapping/field-targets.ts';
import type { DraftRecord } from './draft-record.ts';
import type { ReadContext } from './read-context.ts';
import type { RecordAssembler, RowHandler } from './record-assembler.ts';

/** Items name their own columns: those with the same names share a plan. */
export async function* readItemDrafts(
  { items }: ItemStream,
  readContext: ReadContext,
  workshop: RecordAssembler,
): AsyncGenerator<DraftRecord[]> {
  const planFor = createItemPlanner(readContext);
  const workers = new Map<string, RowHandler>();
  // Columns that the mapping names and that no item had so far.
  let absent: readonly string[] | undefined;
  const workerFor = (names: readonly string[]): RowHandler => {
    const signature = names.join('\0');
    const known = workers.get(signature);
    if (known) return known;
    const made = createItemHandler(names, readContext.dataset, workshop, () => {
      const planned = planFor(names);
      absent = planned.plan.missingMappedColumns.filter((name) => absent?.includes(name) ?? true);
      return planned;
    });
    workers.set(signature, made);
    return made;
  };
  for await (const batch of items) {
    const drafts: DraftRecord[] = [];
    for (const { at, value } of batch) {
      const draft = toDraft(value, at, workerFor);
      if (draft) drafts.push(draft);
    }
    yield drafts;
  }
  if (absent && absent.length > 0) {
    throw new InvalidFileError(`has no record with ${absent.join(', ')}, which the mapping names`);
  }
}

interface ItemPlan {
  readonly plan: ColumnPlan;
  readonly isLong: boolean;
}

function createItemPlanner({ dataset, mapping, valueFormat, externalColumns }: ReadContext) {
  // The mapping fits one of the two forms of a fund, and is not to be held against the other.
  const planners = new Map<FieldTargets, ReturnType<typeof createColumnPlanner>>();
  const [whole, long] = [getFieldTargets(dataset), getFundRowTargets(dataset)];
  return (names: readonly string[]): ItemPlan => {
    const isLong =
      dataset.shape === 'fund' && !names.includes('rows') && !names.includes('periods');
    const targets = isLong ? long : whole;
    const makePlan =
      planners.get(targets) ?? createColumnPlanner(targets, mapping, valueFormat, externalColumns);
    planners.set(targets, makePlan);
    return { plan: makePlan(names), isLong };
  };
}

/** Makes drafts of items with these names, or says of each why there is none. */
function createItemHandler(
  names: readonly string[],
  dataset: Dataset,
  workshop: RecordAssembler,
  planned: () => ItemPlan,
): RowHandler {
  try {
    const { plan, isLong } = planned();
    if (plan.knownColumnCount === 0)
      return createRejectingHandler(names, describeExpectedFields(names, dataset));
    const [unmade] = plan.missingReferencedColumns;
    if (unmade !== undefined) throw new MissingColumnError(unmade);
    const put = workshop.createRowHandler(plan, isLong);
    const lacking = toMissingFieldProblems(dataset, plan);
    const strangers = getUnexpectedColumns(plan);
    return (cells, at, problems) => {
      const strange = strangers.map(([name, rule]) => ({
        field: name,
        value: cells[names.indexOf(name)],
        rule,
      }));
      return put(cells, at, [...problems, ...lacking, ...strange]);
    };
  } catch (cause) {
    if (!(cause instanceof AmbiguousColumnsError || cause instanceof MissingColumnError))
      throw cause;
    return createRejectingHandler(names, `an object that the mapping fits: ${cause.message}`);
  }
}

function toDraft(
  value: unknown,
  at: number,
  workerFor: (names: readonly string[]) => RowHandler,
): DraftRecord | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { position: at, record: {}, problems: [{ field: '', value, rule: 'an object' }] };
  }
  return workerFor(Object.keys(value))(Object.values(value), at, []);
}

/** One line for each item as a whole, where all of it is wrong in the same way. */
function createRejectingHandler(names: readonly string[], rule: string): RowHandler {
  return (cells, at) => {
    const value = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
    return { position: at, record: {}, problems: [{ field: '', value, rule }] };
  };
}

function describeExpectedFields(names: readonly string[], { name, fields }: Dataset): string {
  const rule = `an object with fields of ${name}: ${Object.keys(fields).join(', ')}`;
  return names.includes('data')
    ? `${rule}; of a reply, give the list in "data", or all of it with its "status"`
    : rule;
}

function getUnexpectedColumns({
  unmappedColumns,
  conflictingColumns,
}: ColumnPlan): (readonly [name: string, rule: string])[] {
  return [
    ...unmappedColumns.map((name) => [name, 'absent: the dataset has no such field'] as const),
    ...conflictingColumns.map(
      ({ column, field }) =>
        [column, `absent: --set or the mapping gives ${field} as well`] as const,
    ),
  ];
}

function toMissingFieldProblems({ fields }: Dataset, { missing }: ColumnPlan): FieldProblem[] {
  return missing.map((field) => ({
    field,
    value: undefined,
    rule: fields[field]?.requirement ?? 'given',
  }));
}
