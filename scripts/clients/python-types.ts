import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Field, Fields } from '../../src/catalogue/model/field.ts';
import {
  PERIOD_TRAITS,
  PERIOD_UNITS,
  type PeriodUnit,
} from '../../src/catalogue/model/period-unit.ts';
import { TRANSFORM_PARAMETERS } from '../../src/catalogue/model/transform-parameters.ts';
import { EXPORT_FORMATS } from '../../src/shared/formats.ts';
import { generateColumns, listFormatNames } from './python-columns.ts';

/** The path of the module of the client that is generated as a whole. */
export const RECORDS_PATH = 'clients/python/tenor_client/records.py';

/** The record types, and the paths, columns and keys that the client needs. */
export function generateRecordsModule(catalogue: readonly Dataset[]): string {
  const lists = catalogue.filter(({ shape }) => shape !== 'fund');
  const names = [
    ...lists.flatMap(listTypeNames),
    ...Object.keys(CHOICES),
    'Format',
    'ExportFormat',
  ].sort();
  return [
    '"""Records and operations, made by npm run docs from the catalogue. Changes here are lost."""\n',
    'from __future__ import annotations\n',
    'from typing import Dict, List, Literal, Optional, Tuple, TypedDict\n',
    `__all__ = [\n${names.map((name) => `    '${name}',\n`).join('')}]\n`,
    `SERIES = (\n${listSeries(catalogue)
      .map(({ name }) => `    '${name}',\n`)
      .join('')})\n`,
    Object.entries(CHOICES).map(generateChoice).join(''),
    generateLiteral('Format', listFormatNames()),
    generateLiteral('ExportFormat', EXPORT_FORMATS),
    generatePeriods(),
    generateColumns(catalogue),
    ...lists.map(generateRecordTypes),
  ].join('\n');
}

type TransformChoice = 'frequency' | 'aggregate' | 'units';

/** The types of the parameters that transform figures. */
const CHOICES: Readonly<Record<string, TransformChoice>> = {
  Frequency: 'frequency',
  Aggregate: 'aggregate',
  Units: 'units',
};

function generateChoice([name, parameter]: [string, TransformChoice]): string {
  const { schema, description } = TRANSFORM_PARAMETERS[parameter];
  return `${generateLiteral(name, schema.enum as readonly string[])}"""${description}."""\n`;
}

function generateLiteral(name: string, values: readonly string[]): string {
  return `${name} = Literal[${values.map((value) => `'${value}'`).join(', ')}]\n`;
}

/** What pandas calls periods; days are dates there. */
const PANDAS_FREQUENCIES: Readonly<Record<PeriodUnit, string | null>> = {
  day: null,
  week: 'W-SUN',
  month: 'M',
  quarter: 'Q',
  year: 'Y',
};

/** The kind of a column of periods, by the name of their unit and by the adjective of it. */
function generatePeriods(): string {
  const getKind = (unit: PeriodUnit) =>
    PERIOD_TRAITS[unit].hasDayLabels ? 'day' : PERIOD_TRAITS[unit].name;
  const kinds = PERIOD_UNITS.flatMap((unit) => [
    `    '${unit}': '${getKind(unit)}',\n`,
    `    '${PERIOD_TRAITS[unit].name}': '${getKind(unit)}',\n`,
  ]);
  const frequencies = PERIOD_UNITS.flatMap((unit) =>
    PANDAS_FREQUENCIES[unit] ? [`    '${getKind(unit)}': '${PANDAS_FREQUENCIES[unit]}',\n`] : [],
  );
  const fiscal = PERIOD_UNITS.filter((unit) => PERIOD_TRAITS[unit].hasYearStart).map(getKind);
  return [
    `PERIOD_KINDS: Dict[str, str] = {\n${kinds.join('')}}\n`,
    `PANDAS_FREQUENCIES: Dict[str, str] = {\n${frequencies.join('')}}\n`,
    '# The kinds whose years may begin in another month than January, which then follows: `annual 7`.',
    '# The kind `period` is told by its labels.',
    `FISCAL_KINDS = (${[...fiscal, 'period'].map((kind) => `'${kind}'`).join(', ')})\n`,
  ].join('\n');
}

function listSeries(catalogue: readonly Dataset[]): readonly Dataset[] {
  return catalogue.filter(({ shape }) => shape === 'series');
}

function generateRecordTypes(dataset: Dataset): string {
  const name = toClassName(dataset);
  const items = Object.entries(dataset.fields).flatMap(([field, { itemFields, description }]) =>
    itemFields ? [generateTypedDict(toItemName(name, field), description, itemFields)] : [],
  );
  return [...items, generateTypedDict(name, dataset.title, dataset.fields)].join('\n');
}

function listTypeNames(dataset: Dataset): string[] {
  const name = toClassName(dataset);
  const items = Object.entries(dataset.fields).filter(([, { itemFields }]) => itemFields);
  return [name, ...items.map(([field]) => toItemName(name, field))];
}

function generateTypedDict(name: string, description: string, fields: Fields): string {
  // Python's own word `from` is no name of an attribute.
  if ('from' in fields) {
    const items = Object.entries(fields).map(
      ([field, each]) => `        '${field}': ${formatType(each, toItemName(name, field))},\n`,
    );
    return `\n${name} = TypedDict(\n    '${name}',\n    {\n${items.join('')}    },\n)\n"""${description}."""\n`;
  }
  const lines = Object.entries(fields).map(([field, fieldDeclaration]) => {
    const unit = fieldDeclaration.unit === undefined ? '' : ` (${fieldDeclaration.unit})`;
    return `    ${field}: ${formatType(fieldDeclaration, toItemName(name, field))}\n    """${fieldDeclaration.description}${unit}"""\n`;
  });
  return `\nclass ${name}(TypedDict):\n    """${description}."""\n\n${lines.join('')}`;
}

function formatType(field: Field, itemType: string): string {
  const { isNullable, ...valueField } = field;
  if (isNullable) return `Optional[${formatType(valueField, itemType)}]`;
  const { itemFields, schema } = field;
  if (itemFields) return `List[${itemType}]`;
  const types = [schema.type].flat().map(String);
  const values = Array.isArray(schema.enum) ? schema.enum.filter((value) => value !== null) : [];
  const [type = ''] = types.filter((name) => name !== 'null');
  const text = values.length
    ? `Literal[${values.map((value) => `'${value}'`).join(', ')}]`
    : (PYTHON_TYPES[type] ?? 'str');
  return types.includes('null') ? `Optional[${text}]` : text;
}

const PYTHON_TYPES: Readonly<Record<string, string>> = {
  integer: 'int',
  number: 'float',
  boolean: 'bool',
};

/** The class of the records of a dataset. */
export function toClassName({ name, shape }: Dataset): string {
  if (name === 'quotes') return 'Quote';
  const suffix = shape === 'reference' ? 'Reference' : '';
  return name.split('-').map(capitalize).join('') + suffix;
}

/** The type of an element of a list: `provinces` is a list of `Province`. */
function toItemName(owner: string, field: string): string {
  return owner + capitalize(field).replace(/s$/, '');
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
