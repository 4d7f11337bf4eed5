import { propertyName, quote } from './code.ts';
import type { FieldOrigin, FieldPlan } from './field-plan.ts';

/** The code by which an adapter reads a row of a table, or an object of JSON. */
export interface SourceCode {
  readonly cell: (column: string) => string;
  readonly text: (column: string) => string;
  /** The day that no column holds; `'?'` where the adapter does not know it. */
  readonly day: string;
  /** The decimal sign, where the file has one. */
  readonly decimal?: string | undefined;
}

/** The members of a record, one a line, with a remark where a person should look at it. */
export const writeMembers = (fields: readonly FieldPlan[], source: SourceCode): string =>
  fields.map((plan) => `  ${writeMember(plan, source)}${writeRemark(plan)}\n`).join('');

function writeMember({ field, origin }: FieldPlan, source: SourceCode): string {
  const [name, code] = [propertyName(field), writeOrigin(origin, source)];
  return name === code ? `${name},` : `${name}: ${code},`;
}

function writeOrigin(origin: FieldOrigin, { cell, text, day, decimal }: SourceCode): string {
  switch (origin.kind) {
    case 'column':
      return cell(origin.column);
    case 'date':
      return `${text(origin.column)}.slice(0, 10)`;
    case 'figure':
      return `parseNumber(${text(origin.column)}.replace(/[^\\d.,()%-]/g, '')${writeDecimal(decimal)}) ?? null`;
    case 'percentage':
      return `findPercentage(${cell(origin.column)}) ?? null`;
    case 'template':
      return `\`${origin.template.replace(/\{([^}]+)\}/g, (_, name: string) => `\${${text(name)}}`)}\``;
    case 'constant':
      return /^\d+$/.test(origin.text) ? origin.text : quote(origin.text);
    case 'sheet name':
      return "row.sheet ?? ''";
    case 'day':
      return day;
    case 'keys':
      return origin.code;
    default:
      return "'?'";
  }
}

/** The decimal sign as a second argument of `parseNumber`. */
export const writeDecimal = (decimal: string | undefined) =>
  decimal === undefined || decimal === '?' ? '' : `, ${quote(decimal)}`;

function writeRemark({ origin, check }: FieldPlan): string {
  const text = origin.kind === 'missing' ? origin.requirement : describeOrigin(origin, check);
  if (text === undefined) return '';
  return ` // ${text === '' ? 'check' : text.replaceAll(/\s+/g, ' ')}`;
}

function describeOrigin(origin: FieldOrigin, check: string | undefined): string | undefined {
  if (origin.kind === 'share') return `shares of 1, which sharesOfTotal makes of ${origin.column}`;
  if (origin.kind === 'choice')
    return `${check}: ${origin.choices.map(([text]) => text).join(', ')} in ${origin.column}`;
  return check === '' || check === undefined ? check : `check: ${check}`;
}

/** A function that returns an object; parameters that it does not use begin with `_`. */
export function writeFunction(
  parameters: readonly string[],
  members: string,
  returnType?: string,
): string {
  const code = members.replaceAll(/ \/\/ .*/g, '');
  const isUsed = (parameter: string) =>
    !/^\w/.test(parameter) || new RegExp(`\\b${parameter.split(':')[0]}\\b`).test(code);
  const names = parameters.map((parameter) => (isUsed(parameter) ? parameter : `_${parameter}`));
  const type = returnType === undefined ? '' : `: ${returnType}`;
  return `(${names.join(', ')})${type} => ({\n${members}})`;
}
