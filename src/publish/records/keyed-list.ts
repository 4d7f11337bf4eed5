import type { FieldProblem } from '../../schema/validate-record.ts';
import { InvalidCell } from '../cells/create-converter.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { FieldSource, KeyedListSource } from '../mapping/field-sources.ts';
import type { BlankPolicy } from './draft-record.ts';

/** A list of keyed values from the cells of one row. */
export function readKeyedList(
  list: KeyedListSource,
  cells: RowCells,
  blank: BlankPolicy,
  problems: FieldProblem[],
): unknown {
  const whole = parseWholeList(list.whole?.(cells));
  if (whole !== undefined) {
    problems.push(...findDisagreements(list, whole, cells));
    return whole;
  }
  if (list.whole && list.keyColumns.length === 0) return '';
  const items: { key: string; value: unknown }[] = [];
  for (const part of list.keyColumns) {
    const value = readKeyedValue(part, cells, blank, problems);
    if (value !== undefined) items.push({ key: part.key, value });
  }
  return items;
}

/**
 * The value of one key; undefined where the list has no such key, or where the cell is a problem.
 * What the field does not take is told here: told of the list as a whole, nobody would find it.
 */
export function readKeyedValue(
  { name, field, readCell, convert, explainBlank }: FieldSource,
  cells: RowCells,
  blank: BlankPolicy,
  problems: FieldProblem[],
): unknown {
  const cell = readCell(cells);
  const value = convert(cell);
  if (value === undefined) {
    if (blank === 'zero') return 0;
    if (blank === 'absent') return undefined;
    const reason = explainBlank?.(cells) ?? 'it is blank';
    const rule = `${field.requirement}; ${reason} (${BLANK_KEY_HINT})`;
    problems.push({ field: name, value: cell ?? '', rule });
    return undefined;
  }
  if (!(value instanceof InvalidCell) && field.isValid(value)) return value;
  const rule = value instanceof InvalidCell ? value.rule : field.requirement;
  problems.push({ field: name, value: cell, rule });
  return undefined;
}

const BLANK_KEY_HINT =
  '--blank zero takes it as 0, --blank absent as a key that the list does not have';

/** Columns that say otherwise than the list beside them: one of the two was edited. */
function findDisagreements(
  { name, keyColumns }: KeyedListSource,
  whole: unknown,
  cells: RowCells,
): FieldProblem[] {
  if (!Array.isArray(whole)) return [];
  const values = new Map(whole.map((item) => [item?.key, item?.value]));
  return keyColumns.flatMap(({ name: field, key, readCell, convert }) => {
    const value = convert(readCell(cells));
    if (value === undefined || value === values.get(key)) return [];
    const rule = values.has(key)
      ? `${JSON.stringify(values.get(key))}, as the list in the column ${name} says`
      : `blank: the list in the column ${name} has no such key`;
    return [{ field, value: readCell(cells), rule }];
  });
}

/** A list as JSON gives it, or as JSON text in a cell; undefined where the cell is blank. */
function parseWholeList(cell: unknown): unknown {
  if (cell === null || cell === undefined || cell === '') return undefined;
  if (typeof cell !== 'string') return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
