import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { chooseStatus, type ObservationStatus } from '../../catalogue/model/observation-status.ts';
import type { FileItem } from '../../formats/read-contents.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { InvalidCell, type ValueFormat } from '../cells/create-converter.ts';
import { getMarkPlace, splitMarks, toStatus } from '../cells/status-marks.ts';
import { quoteShort } from '../cells/value-format.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { ExternalColumns } from '../mapping/external-columns.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { FieldSource, KeyedListSource } from '../mapping/field-sources.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Warning } from '../quality/warning-rules.ts';

/** A record being loaded, with its position in its file. */
export interface DraftRecord {
  readonly position: number;
  /** A field that is still undefined may be derived or unknown, or has a problem. */
  readonly record: Record<string, unknown>;
  /** The pricing terms in a row of a quote; absent if the file has no such columns. */
  readonly terms?: Record<string, unknown>;
  /** The status from marks in the file, unless it is the normal one. */
  readonly status?: ObservationStatus | undefined;
  /** Problems have their own position if the record has several rows. */
  readonly problems: readonly (FieldProblem & { readonly position?: number })[];
  readonly warnings?: readonly (Warning & { readonly position: number })[];
  /** What it does to the current record; absent if it is all of its record. */
  readonly change?: FileItem['change'];
}

export type DraftRow = (cells: RowCells, position: number) => DraftRecord;

export function createDrafter(plan: ColumnPlan, blank: BlankPolicy, lists = plan.lists): DraftRow {
  const fields = plan.fields.filter(({ isTerm, isStatus }) => !isTerm && !isStatus);
  const termFields = plan.fields.filter(({ isTerm }) => isTerm);
  return (cells, position) => {
    const record: Record<string, unknown> = {};
    const problems: FieldProblem[] = [];
    for (const source of fields) record[source.name] = readField(source, cells, blank, problems);
    for (const list of lists) record[list.name] = readKeyedList(list, cells, blank, problems);
    if (plan.hasMarks) return { position, record, problems, ...findStatus(plan, cells, position) };
    if (termFields.length === 0) return { position, record, problems };
    const terms: Record<string, unknown> = {};
    for (const source of termFields)
      terms[source.name] = readField(source, cells, undefined, problems);
    return { position, record, terms, problems };
  };
}

/** Whether blank numbers are 0; missing keys in lists, but otherwise problems; or always problems. */
export type BlankPolicy = 'zero' | 'absent' | undefined;

/**
 * The value of a field; undefined if it is blank and optional, or has a problem. List keys are validated
 * here, because a problem of the complete list would not name the cell.
 */
export function readField(
  { name, field, isOptional, canBeZero, readCell, convert, explainBlank }: FieldSource,
  cells: RowCells,
  blank: BlankPolicy,
  problems: FieldProblem[],
  isKeyed = false,
): unknown {
  const cell = readCell(cells);
  const value = convert(cell);
  let rule = field.requirement;
  if (value instanceof InvalidCell) rule = value.rule;
  else if (value === undefined) {
    const isNumber = field.schema.type === 'number' || field.schema.type === 'integer';
    if (isNumber && blank === 'zero' && (!isOptional || canBeZero)) return 0;
    if (isOptional || (isKeyed && blank === 'absent')) return undefined;
    const hint = isKeyed ? BLANK_KEY_HINT : isNumber ? ' (--blank zero takes it as 0)' : '';
    rule += `; ${explainBlank?.(cells) ?? 'it is blank'}${hint}`;
  } else if (!isKeyed || field.isValid(value)) return value;
  problems.push({ field: name, value: cell ?? '', rule });
  return undefined;
}

const BLANK_KEY_HINT =
  ' (--blank zero takes it as 0, --blank absent as a key that the list does not have)';

function readKeyedList(
  source: KeyedListSource,
  cells: RowCells,
  blank: BlankPolicy,
  problems: FieldProblem[],
): unknown {
  const list = parseList(source.readList?.(cells));
  if (list !== undefined) {
    problems.push(...findDisagreements(source, list, cells));
    return list;
  }
  if (source.readList && source.keyColumns.length === 0) return '';
  const items: { key: string; value: unknown }[] = [];
  for (const column of source.keyColumns) {
    const value = readField(column, cells, blank, problems, true);
    if (value !== undefined) items.push({ key: column.key, value });
  }
  return items;
}

/** Key columns that contradict the list in the same row, because only one of them was edited. */
function findDisagreements({ name, keyColumns }: KeyedListSource, list: unknown, cells: RowCells) {
  if (!Array.isArray(list)) return [];
  const values = new Map(list.map((item) => [item?.key, item?.value]));
  return keyColumns.flatMap(({ name: field, key, readCell, convert }) => {
    const value = convert(readCell(cells));
    if (value === undefined || value === values.get(key)) return [];
    const rule = values.has(key)
      ? `${JSON.stringify(values.get(key))}, as the list in the column ${name} says`
      : `blank: the list in the column ${name} has no such key`;
    return [{ field, value: readCell(cells), rule }];
  });
}

/** A list from JSON, or from JSON text in a cell; undefined if the cell is blank. */
function parseList(cell: unknown): unknown {
  if (cell === null || cell === undefined || cell === '') return undefined;
  if (typeof cell !== 'string') return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

/** Everything needed to read a file's records, besides the file itself. */
export interface DraftContext {
  readonly dataset: Dataset;
  readonly mapping: Mapping;
  readonly valueFormat: ValueFormat;
  readonly externalColumns: ExternalColumns;
  readonly findCurrentFund: (id: string) => Promise<CurrentFund | undefined>;
  /** Whether the files are the complete dataset, so that no current periods are kept. */
  readonly replace: boolean;
  /** The current time, for records without instants. */
  readonly now: string;
  readonly onSkipped: (what: string) => void;
}

/** The published record of a fund. */
export interface CurrentFund extends AnyRecord {
  readonly periods: readonly { readonly label: string; readonly date: string }[];
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
}

/** The status of a row from its marks, and a warning about each unknown mark. */
function findStatus({ fields, lists }: ColumnPlan, cells: RowCells, position: number) {
  const inLists = lists.flatMap(({ keyColumns, keyAndValueRows }) =>
    [...keyColumns, keyAndValueRows?.value ?? []].flat(),
  );
  const found = [...fields, ...inLists].flatMap((source) => findMarks(source, cells));
  const warnings = found.flatMap(({ mark, field, value }) => {
    const text = `the mark ${quoteShort(mark)} of ${quoteShort(String(value))} is not known`;
    const warning = { rule: 'unknown-mark', field, value, text, position } as const;
    return toStatus(mark) ? [] : warning;
  });
  return { status: chooseStatus(found.map(({ mark }) => toStatus(mark))), warnings };
}

function findMarks({ name, field, isStatus, readCell, convert }: FieldSource, cells: RowCells) {
  const cell = readCell(cells);
  const { plain, marks } = splitMarks(isStatus ? convert(cell) : cell, getMarkPlace(field));
  const all = isStatus && plain !== undefined ? [String(plain)] : marks;
  return all.map((mark) => ({ field: name, value: plain, mark }));
}
