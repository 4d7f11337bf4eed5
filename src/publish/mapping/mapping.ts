import type { FileContents, FileFormat } from '../../formats/read-contents.ts';
import { FILE_FORMATS, InvalidFileError } from '../../formats/read-contents.ts';
import type { ValueFormat } from '../cells/create-converter.ts';

/** How a source's files become records of a dataset; everything is optional. */
export interface Mapping {
  /** The dataset that it is for. */
  readonly dataset?: string;
  /** What it is for, in words for people. */
  readonly about?: string;
  /** Columns of the file and the fields they hold; null for a column that is left out. */
  readonly columns?: Readonly<Record<string, string | null>>;
  /** What happens to columns that nothing names: refused unless they are to be ignored. */
  readonly otherColumns?: 'ignore' | 'refuse';
  /** Fields that are made from columns, or the same in every record. */
  readonly fields?: Readonly<Record<string, FieldExpression>>;
  /** Another file with more columns, found by a key and named `{lookup.column}`. */
  readonly lookup?: Lookup;
  /** Powers of ten that figures are multiplied with, by field: `1e-6`. */
  readonly scale?: Readonly<Record<string, string>>;
  /** Fields in which the source writes 0 for "not known". */
  readonly zeroIsBlank?: readonly string[];
  /** Texts that mean "no value": `n.a.`, `-`. */
  readonly blanks?: readonly string[];
  /** What blank numbers are taken for, `absent` in lists only; refused where it is not given. */
  readonly blank?: 'zero' | 'absent';
  /** What is given for figures of a quote that cannot be computed: refused where absent. */
  readonly uncomputable?: 'zero';
  /** What happens to a key that comes twice in one list: refused where absent. */
  readonly repeatedKeys?: 'add';
  readonly decimal?: '.' | ',';
  readonly periods?: 'sbp';
  readonly dates?: 'dmy' | 'mdy';
  readonly format?: FileFormat;
  readonly sheet?: string;
  readonly headerRow?: number;
}

/** A text in which `{column}` stands for a cell; or what is made of such a text. */
export type FieldExpression =
  | string
  | PatternExpression
  | { readonly sum: readonly string[] }
  | ShareExpression;

/** The text behind the first pattern that matches. */
export interface PatternExpression {
  readonly of: string;
  readonly like: readonly (readonly [pattern: string, text: string])[];
}

/** A figure as its share of all figures of the same record's list. */
export interface ShareExpression {
  readonly shareOf: string;
}

export interface Lookup {
  /** The file's name, beside the file that is loaded; may hold `{file.date}`. */
  readonly file: string;
  /** The column of that file that is searched. */
  readonly column: string;
  /** What it is searched for: a text with columns of the loaded file. */
  readonly by: string;
}

/** Reads a mapping file; what is wrong with it is told with the key that it is wrong in. */
export function parseMapping(json: string, name: string): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new InvalidFileError(`${name} is not JSON: ${(cause as Error).message}`);
  }
  if (!isObject(value)) throw new InvalidFileError(`${name} must hold one JSON object`);
  for (const [key, given] of Object.entries(value)) {
    const rule = Object.hasOwn(MAPPING_RULES, key)
      ? MAPPING_RULES[key as keyof Mapping]
      : undefined;
    if (!rule) {
      const known = Object.keys(MAPPING_RULES).join(', ');
      throw new InvalidFileError(`${name}: "${key}" is not known; it may hold ${known}`);
    }
    if (!rule.accepts(given))
      throw new InvalidFileError(`${name}: "${key}" must be ${rule.requirement}`);
  }
  return value as Mapping;
}

/** How a file of the mapping writes its values. */
export function getValueFormat(mapping: Mapping, contents: FileContents): ValueFormat {
  const { decimal, periods, dates, blanks = [] } = mapping;
  // Where cells are not parted by commas, it may be because numbers have them as decimal signs.
  const delimiter = contents.kind === 'table' ? contents.delimiter : undefined;
  const supposed = decimal === undefined && delimiter !== undefined && delimiter !== ',';
  return {
    decimal: decimal ?? '.',
    isDecimalGuessed: supposed,
    periodStyle: periods,
    dateOrder: dates,
    blanks,
  };
}

interface MappingRule {
  readonly accepts: (value: unknown) => boolean;
  /** What it must be, in words that follow "must be". */
  readonly requirement: string;
}

const MAPPING_RULES: Readonly<Record<keyof Mapping, MappingRule>> = {
  dataset: { accepts: isNonEmptyText, requirement: "a dataset's name" },
  about: { accepts: isNonEmptyText, requirement: 'text' },
  columns: {
    accepts: (value) => isObjectOf(value, (target) => target === null || isNonEmptyText(target)),
    requirement: 'an object of columns and the fields they hold; null leaves a column out',
  },
  otherColumns: createChoiceRule('ignore', 'refuse'),
  fields: {
    accepts: (value) => isObjectOf(value, isFieldExpression),
    requirement:
      'an object of fields and a text such as "{Month} {Year}", or {of, like}, {sum}, {shareOf}',
  },
  lookup: {
    accepts: (value) =>
      isObject(value) &&
      Object.keys(value).length === 3 &&
      [value.file, value.column, value.by].every(isNonEmptyText),
    requirement: '{file, column, by}, three texts',
  },
  scale: {
    accepts: (value) =>
      isObjectOf(value, (power) => isNonEmptyText(power) && /^1e[+-]?\d{1,2}$/.test(power)),
    requirement: 'an object of fields and powers of ten such as "1e-6"',
  },
  zeroIsBlank: { accepts: isTextList, requirement: 'a list of fields' },
  blanks: { accepts: isTextList, requirement: 'a list of texts' },
  blank: createChoiceRule('zero', 'absent'),
  uncomputable: createChoiceRule('zero'),
  repeatedKeys: createChoiceRule('add'),
  decimal: createChoiceRule('.', ','),
  periods: createChoiceRule('sbp'),
  dates: createChoiceRule('dmy', 'mdy'),
  format: createChoiceRule(...FILE_FORMATS),
  sheet: { accepts: isNonEmptyText, requirement: "a sheet's name or number" },
  headerRow: {
    accepts: (value) => Number.isSafeInteger(value) && Number(value) > 0,
    requirement: 'a whole number from 1',
  },
};

function createChoiceRule(...words: readonly string[]): MappingRule {
  return {
    accepts: (value) => words.includes(value as string),
    requirement: words.map((word) => `"${word}"`).join(' or '),
  };
}

function isFieldExpression(value: unknown): boolean {
  if (isNonEmptyText(value)) return true;
  if (!isObject(value)) return false;
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
  if (
    !Array.isArray(pair) ||
    pair.length !== 2 ||
    !pair.every((part) => typeof part === 'string')
  ) {
    return false;
  }
  try {
    new RegExp(String(pair[0]));
    return true;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isObjectOf(value: unknown, accepts: (value: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(accepts);
}

function isNonEmptyText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
