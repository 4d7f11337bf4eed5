import type { SheetProfile } from '../inspect-file.ts';
import { formatRemark } from './adapter-frame.ts';
import { propertyName, quote } from './code.ts';
import type { FieldOrigin, FieldPlan } from './field-plan.ts';

/** A member of the record that an adapter yields, with a remark where it has to be checked. */
export function writeField(plan: FieldPlan, sheet: SheetProfile, row = 'row'): string {
  const value = writeOrigin(plan.origin, sheet, row);
  const name = propertyName(plan.field);
  return `${name === value ? name : `${name}: ${value}`},${formatRemark(plan)}`;
}

/** The code of a value, from the row of that name. */
export function writeOrigin(origin: FieldOrigin, sheet: SheetProfile, row = 'row'): string {
  switch (origin.kind) {
    case 'column':
    case 'share':
      return `${row}.get(${writeColumn(origin.column, sheet)})`;
    case 'figure':
      return `parseNumber(${row}.text(${writeColumn(origin.column, sheet)}).replace(/[^\\d.,()%-]/g, '')${writeDecimal(sheet)}) ?? null`;
    case 'date':
      return `${row}.text(${writeColumn(origin.column, sheet)}).slice(0, 10)`;
    case 'template':
      return writeTemplate(origin.template, row);
    case 'constant':
      return /^\d+$/.test(origin.text) ? origin.text : quote(origin.text);
    case 'day':
      return 'date';
    case 'sheet name':
      return 'sheet.name';
    case 'section':
      return 'section';
    case 'percentage':
      return `findPercentage(${row}.get(${writeColumn(origin.column, sheet)})) ?? null`;
    case 'across':
      return origin.part;
    case 'choice':
      return `CHOICES[${row}.text(${writeColumn(origin.column, sheet)})] ?? ''`;
    case 'keys':
      return origin.code;
    case 'list total':
    case 'missing':
      return "''";
  }
}

/** The same as text: a key. */
export function writeText(origin: FieldOrigin, sheet: SheetProfile): string {
  if (origin.kind === 'column') return `row.text(${writeColumn(origin.column, sheet)})`;
  return writeOrigin(origin, sheet);
}

function writeTemplate(template: string, row: string): string {
  const text = template.replace(
    /\{([^}]+)\}/g,
    (_, name: string) => `\${${row}.text(${quote(name)})}`,
  );
  return `\`${text}\``;
}

/** By its index where another column has the same name. */
function writeColumn(name: string, { columns }: SheetProfile): string {
  const same = columns.filter((column) => column.name === name);
  return same.length > 1 ? String(same[0]?.index) : quote(name);
}

/** The decimal sign as an argument, where the columns of the table agree on one. */
function writeDecimal({ columns }: SheetProfile): string {
  const signs = new Set(columns.map(({ decimal }) => decimal));
  if (signs.has('both') || signs.has('.') === signs.has(',')) return '';
  return signs.has('.') ? ", '.'" : ", ','";
}
