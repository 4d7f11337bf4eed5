import type { Dataset } from '../../catalogue/model/dataset.ts';
import { InvalidFileError, type ItemStream } from '../../formats/read-contents.ts';
import { isPlainObject } from '../../shared/is-plain-object.ts';
import { memoize } from '../../shared/memoize.ts';
import { AmbiguousColumnsError, MissingColumnError } from '../mapping/column-names.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import { isBlankCell, type RowCells } from '../mapping/field-expression.ts';
import type { DraftContext, DraftRecord } from './draft-record.ts';
import type { RecordAssembler, RowHandler } from './record-assembler.ts';

/** The names of each layout are kept until the end, so their number is limited to save memory. */
const MAX_NAMES_OF_LAYOUTS = 50_000;

/** Items name their own columns; items with the same names share a plan. */
export async function* readItemDrafts(
  { items, isPartial }: ItemStream,
  { dataset }: DraftContext,
  assembler: RecordAssembler,
): AsyncGenerator<DraftRecord[]> {
  // The mapping fits one of the two fund layouts, and is not checked against the other.
  const getPlanner = memoize(2, (isLongFund: boolean) => assembler.createPlanner(isLongFund));
  const handlers = new Map<string, RowHandler>();
  let nameCount = 0;
  // Columns that the mapping names and no item has had so far.
  let absent: readonly string[] | undefined;
  let last: { readonly names: readonly string[]; readonly handler: RowHandler } | undefined;
  const getHandler = (names: readonly string[]): RowHandler => {
    if (names === last?.names) return last.handler;
    const signature = names.join('\0');
    const existing = handlers.get(signature);
    if (!existing) nameCount += names.length;
    if (nameCount > MAX_NAMES_OF_LAYOUTS)
      throw new InvalidFileError(
        `has too many records that differ in their names: more than ${MAX_NAMES_OF_LAYOUTS.toLocaleString('en')} names in all`,
      );
    const handler =
      existing ??
      createItemHandler(names, dataset, assembler, () => {
        const isLongFund =
          dataset.shape === 'fund' && !names.includes('rows') && !names.includes('periods');
        const plan = getPlanner(isLongFund)(names);
        absent = plan.missingMappedColumns.filter((name) => absent?.includes(name) ?? true);
        return { plan: isPartial ? { ...plan, missing: [] } : plan, isLongFund };
      });
    handlers.set(signature, handler);
    last = { names, handler };
    return handler;
  };
  for await (const batch of items) {
    const drafts: DraftRecord[] = [];
    for (const { position, names, value, change } of batch) {
      const draft = names
        ? getHandler(names)(value as RowCells, position, [])
        : isPlainObject(value)
          ? getHandler(Object.keys(value))(Object.values(value), position, [])
          : rejectItem(position, value, 'an object');
      if (draft) drafts.push(change ? { ...draft, change } : draft);
    }
    yield drafts;
  }
  if (absent && absent.length > 0)
    throw new InvalidFileError(`has no record with ${absent.join(', ')}, which the mapping names`);
}

/** Turns items with these names into draft records, or rejects each of them. */
function createItemHandler(
  names: readonly string[],
  dataset: Dataset,
  assembler: RecordAssembler,
  createPlan: () => { readonly plan: ColumnPlan; readonly isLongFund: boolean },
): RowHandler {
  try {
    const { plan, isLongFund } = createPlan();
    if (plan.knownColumnCount === 0)
      return createRejectingHandler(names, describeExpectedFields(names, dataset));
    const [missingColumn] = plan.missingReferencedColumns;
    if (missingColumn !== undefined) throw new MissingColumnError(missingColumn);
    const handleRow = assembler.createRowHandler(plan, isLongFund);
    // A record without either key is reported later, when it is identified.
    const missing = (dataset.alternateKey ? [] : plan.missing).map((field) => ({
      field,
      value: undefined,
      rule: dataset.fields[field]?.requirement ?? 'given',
    }));
    const unexpected = [
      ...plan.unmappedColumns.map((name) => [name, UNKNOWN_FIELD, false] as const),
      ...plan.conflictingColumns.map(
        ({ column, field }) =>
          [column, `absent: --set or the mapping gives ${field} as well`, true] as const,
      ),
    ];
    return (cells, position, problems) => {
      const unexpectedProblems = unexpected.flatMap(([name, rule, mayBeBlank]) => {
        const value = cells[names.indexOf(name)];
        return mayBeBlank && isBlankCell(value) ? [] : [{ field: name, value, rule }];
      });
      return handleRow(cells, position, [...problems, ...missing, ...unexpectedProblems]);
    };
  } catch (cause) {
    if (!(cause instanceof AmbiguousColumnsError || cause instanceof MissingColumnError))
      throw cause;
    return createRejectingHandler(names, `an object that the mapping fits: ${cause.message}`);
  }
}

const UNKNOWN_FIELD = 'absent: the dataset has no such field';

/** Rejects each item as a whole, with a single problem. */
function createRejectingHandler(names: readonly string[], rule: string): RowHandler {
  return (cells, position) => {
    const item = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
    return rejectItem(position, item, rule);
  };
}

function rejectItem(position: number, value: unknown, rule: string): DraftRecord {
  return { position, record: {}, problems: [{ field: '', value, rule }] };
}

function describeExpectedFields(names: readonly string[], { name, fields }: Dataset): string {
  const rule = `an object with fields of ${name}: ${Object.keys(fields).join(', ')}`;
  return names.includes('data')
    ? `${rule}; of a reply, give the list in "data", or all of it with its "status"; tenor inspect writes an adapter for others`
    : rule;
}
