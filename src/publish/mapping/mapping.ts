import { MAX_SETTLEMENT_DAYS } from '../../bonds/index.ts';
import {
  FILE_FORMATS,
  type FileContents,
  type FileFormat,
  InvalidFileError,
  TEXT_ENCODINGS,
  type TextEncoding,
} from '../../formats/read-contents.ts';
import { isPlainObject } from '../../shared/is-plain-object.ts';
import { createLookupTable } from '../../shared/lookup-table.ts';
import type { ValueFormat } from '../cells/create-converter.ts';
import { DATE_ORDERS, type DateOrder } from '../cells/value-format.ts';

/** How files of a source become records of a dataset. */
export interface Mapping {
  readonly dataset?: string;
  readonly about?: string;
  /** Columns of the file and the fields they hold; null for a column to ignore. */
  readonly columns?: Readonly<Record<string, string | null>>;
  /** Whether to ignore columns that hold no field; they are rejected by default. */
  readonly otherColumns?: 'ignore' | 'refuse';
  /** Fields computed from columns, or constant. */
  readonly fields?: Readonly<Record<string, FieldExpression>>;
  /** A file with additional columns, named `{lookup.column}`, whose rows are found by a key. */
  readonly lookup?: Lookup;
  /** Columns whose names are values of a field: each of their cells becomes a record of its own. */
  readonly unpivot?: Unpivot;
  /** Powers of ten to multiply figures by, by field: `1e-6`. */
  readonly scale?: Readonly<Record<string, string>>;
  /** Fields in which the source writes 0 for "unknown". */
  readonly zeroIsBlank?: readonly string[];
  /** Texts that mean "no value": `n.a.`, `-`. */
  readonly blanks?: readonly string[];
  /** How to read blank numbers, `absent` in lists only; they are rejected by default. */
  readonly blank?: 'zero' | 'absent';
  /** How to fill figures of a quote that cannot be computed; they are rejected by default. */
  readonly uncomputable?: 'zero';
  /** The weekdays from the date of a quote to its settlement; 1 by default. */
  readonly settlementDays?: number;
  /** Whether to sum values of the same key in a list; they are rejected by default. */
  readonly repeatedKeys?: 'add';
  readonly decimal?: '.' | ',';
  readonly periods?: 'sbp';
  readonly dates?: DateOrder;
  readonly format?: FileFormat;
  readonly encoding?: TextEncoding;
  readonly sheet?: string;
  readonly headerRow?: number;
  /** Warning rules that are not reported. */
  readonly mute?: readonly string[];
  /** Warning rules that reject the load. */
  readonly refuse?: readonly string[];
}

/** A template in which `{column}` stands for a cell, or a computation from cells. */
export type FieldExpression =
  | string
  /** The text of the first pattern that matches. */
  | { readonly of: string; readonly like: readonly (readonly [pattern: string, text: string])[] }
  | { readonly sum: readonly string[] }
  /** A figure as its share of the sum of its list. */
  | { readonly shareOf: string };

export interface Unpivot {
  /** The field of the names: a dimension, or the period. */
  readonly field: string;
  readonly measure: string;
  /** The value that each column stands for; by default the names of all columns that no field takes. */
  readonly columns?: Readonly<Record<string, string>>;
}

export interface Lookup {
  /** The name of a file in the directory of the loaded file; may contain `{file.date}`. */
  readonly file: string;
  readonly column: string;
  readonly by: string;
}

/** Parses a mapping file; the message of an error names the invalid key. */
export function parseMapping(json: string, name: string): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new InvalidFileError(`${name} is not JSON: ${(cause as Error).message}`);
  }
  return validateMapping(value, name);
}

/** The value as a mapping; throws if it has an unknown or invalid key. */
export function validateMapping(
  value: unknown,
  name: string,
  otherKeys: readonly string[] = [],
): Mapping {
  if (!isPlainObject(value)) throw new InvalidFileError(`${name} must hold one JSON object`);
  const keys = Object.keys(MAPPING_RULES).filter((key) => !otherKeys.includes(key));
  for (const [key, member] of Object.entries(value)) {
    if (!keys.includes(key))
      throw new InvalidFileError(`${name}: "${key}" is not known; it may hold ${keys.join(', ')}`);
    const rule = MAPPING_RULES[key as keyof Mapping];
    if (!rule.accepts(member))
      throw new InvalidFileError(
        `${name}: "${key}" must be ${rule.requirement}${findInvalidMember(rule, member)}`,
      );
  }
  const open = Object.entries(value.fields ?? {}).find(([, expression]) => isOpen(expression));
  if (open) throw new InvalidFileError(`${name}: "fields.${open[0]}" is to be filled in for "?"`);
  return value;
}

/** Whether `tenor inspect` left it for a person to decide. */
const isOpen = (expression: unknown) => JSON.stringify(expression).includes('"?"');

export function getValueFormat(mapping: Mapping, contents: FileContents): ValueFormat {
  const { decimal, periods, dates, blanks = [] } = mapping;
  // A file may avoid commas as delimiters because the comma is its decimal sign.
  const delimiter = contents.kind === 'table' ? contents.delimiter : undefined;
  const hasCells = contents.kind === 'items' && contents.hasCells === true;
  const mayBeComma = hasCells || (delimiter !== undefined && delimiter !== ',');
  const isDecimalGuessed = decimal === undefined && mayBeComma;
  const evidence = isDecimalGuessed &&
    delimiter === ';' && { decimalEvidence: { isSettled: false } };
  const format = { periodStyle: periods, dateOrder: dates, blanks, ...evidence };
  return { decimal: decimal ?? '.', isDecimalGuessed, ...format };
}

/** The location of the problem in an object: its first member that is not accepted on its own. */
function findInvalidMember({ accepts }: MappingRule, value: unknown): string {
  if (!isPlainObject(value) || !accepts({})) return '';
  return `: see "${Object.keys(value).find((key) => !accepts({ [key]: value[key] }))}"`;
}

interface MappingRule {
  readonly accepts: (value: unknown) => boolean;
  /** Follows "must be" in messages. */
  readonly requirement: string;
}

const MAPPING_RULES: Readonly<Record<keyof Mapping, MappingRule>> = createLookupTable({
  dataset: { accepts: isNonEmptyText, requirement: "a dataset's name" },
  about: { accepts: isNonEmptyText, requirement: 'text' },
  columns: {
    accepts: (value) => isRecordOf(value, (target) => target === null || isNonEmptyText(target)),
    requirement: 'an object of columns and the fields they hold; null leaves a column out',
  },
  otherColumns: createChoiceRule('ignore', 'refuse'),
  fields: {
    accepts: (value) => isRecordOf(value, isFieldExpression),
    requirement:
      'an object of fields and a text such as "{Month} {Year}", or {sum}, {shareOf}, {of, like} with patterns that have the groups in their texts',
  },
  lookup: {
    accepts: (value) =>
      isPlainObject(value) &&
      Object.keys(value).length === 3 &&
      [value.file, value.column, value.by].every(isNonEmptyText),
    requirement: '{file, column, by}, three texts',
  },
  unpivot: {
    accepts: (value) =>
      isPlainObject(value) &&
      Object.keys(value).every((key) => ['field', 'measure', 'columns'].includes(key)) &&
      [value.field, value.measure].every(isNonEmptyText) &&
      (value.columns === undefined || isRecordOf(value.columns, isNonEmptyText)),
    requirement: '{field, measure, columns}: two fields, and an object of columns and their values',
  },
  scale: {
    accepts: (value) =>
      isRecordOf(value, (power) => isNonEmptyText(power) && /^1e[+-]?\d{1,2}$/.test(power)),
    requirement: 'an object of fields and powers of ten such as "1e-6"',
  },
  zeroIsBlank: { accepts: isTextList, requirement: 'a list of fields' },
  blanks: { accepts: isTextList, requirement: 'a list of texts' },
  blank: createChoiceRule('zero', 'absent'),
  uncomputable: createChoiceRule('zero'),
  repeatedKeys: createChoiceRule('add'),
  decimal: createChoiceRule('.', ','),
  periods: createChoiceRule('sbp'),
  dates: createChoiceRule(...DATE_ORDERS),
  format: createChoiceRule(...FILE_FORMATS),
  encoding: createChoiceRule(...TEXT_ENCODINGS),
  sheet: { accepts: isNonEmptyText, requirement: "a sheet's name or number" },
  settlementDays: {
    accepts: (value) => isIntegerFrom(0, value) && Number(value) <= MAX_SETTLEMENT_DAYS,
    requirement: `a whole number from 0 to ${MAX_SETTLEMENT_DAYS}`,
  },
  headerRow: {
    accepts: (value) => isIntegerFrom(1, value),
    requirement: 'a whole number from 1',
  },
  mute: { accepts: isTextList, requirement: 'a list of warning rules' },
  refuse: { accepts: isTextList, requirement: 'a list of warning rules' },
});

function isIntegerFrom(min: number, value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min;
}

function createChoiceRule(...choices: readonly string[]): MappingRule {
  return {
    accepts: (value) => choices.includes(value as string),
    requirement: choices.map((choice) => `"${choice}"`).join(' or '),
  };
}

function isFieldExpression(value: unknown): boolean {
  if (isNonEmptyText(value)) return true;
  if (!isPlainObject(value)) return false;
  const { of, like, sum, shareOf } = value;
  switch (Object.keys(value).toSorted().join()) {
    case 'like,of':
      return isNonEmptyText(of) && Array.isArray(like) && like.every(isPatternPair);
    case 'sum':
      return isTextList(sum);
    case 'shareOf':
      return isNonEmptyText(shareOf);
    default:
      return false;
  }
}

function isPatternPair(pair: unknown): boolean {
  if (!isTextList(pair) || pair.length !== 2) return false;
  try {
    const [pattern = '', text = ''] = pair;
    const match = new RegExp(`${new RegExp(pattern).source}|`).exec('');
    const groups = [...Object.keys([...(match ?? [])]), ...Object.keys(match?.groups ?? {})];
    return text
      .matchAll(/\$(?:(\d)|<([^<>]*)>)/g)
      .every(([, number, name = '']) => groups.includes(number ?? name));
  } catch {
    return false;
  }
}

function isRecordOf(value: unknown, accepts: (value: unknown) => boolean): boolean {
  return isPlainObject(value) && Object.values(value).every(accepts);
}

function isNonEmptyText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
