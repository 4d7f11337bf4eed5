import type { Field } from '../../catalogue/model/field.ts';
import { formatRemark } from './adapter-frame.ts';
import { indent, propertyName, quote } from './code.ts';
import type { FieldPlan } from './field-plan.ts';
import { getTargets } from './plan-context.ts';
import type { RowsPlan } from './plan-rows.ts';
import { needsDataCheck, writeSectionLine, writeTableArguments } from './row-code.ts';
import { writeField, writeText } from './write-field.ts';

/** Lines that add up the rows of each record: of a month, or of a class of a fund. */
export function writeSums(plan: RowsPlan): string[] {
  const { fields, sheets, file, dataset } = plan;
  const [sheet] = sheets;
  const targets = getTargets(dataset).fields;
  const isSummed = ({ field, origin }: FieldPlan) =>
    origin.kind === 'column' && isNumber(targets.get(field)?.field);
  const keys = fields.filter((plan) => !isSummed(plan));
  const source = file.format === 'xlsx' ? 'sheet' : 'file';
  const section = keys.find(({ origin }) => origin.kind === 'section');
  const isOfRow = ({ origin }: FieldPlan) => origin.kind === 'column' || origin.kind === 'template';
  const rowKeys = keys.filter((plan) => plan === section || isOfRow(plan));
  const members = keys.map((key) =>
    key === section
      ? `${propertyName(key.field)}: key,${formatRemark(key)}`
      : writeField(key, sheet, 'first'),
  );
  const key = section ? 'key, ' : '';
  return [
    ...(section ? ["let section = '';"] : []),
    'const groups = await groupAndSum(',
    ...indent([
      `${source}.table(${writeTableArguments(sheet, fields)}),`,
      ...writeKey(plan, section, rowKeys),
      '(row) => ({',
      ...indent(fields.filter(isSummed).map((field) => writeFigure(field, plan))),
      '}),',
    ]),
    ');',
    `for (const { ${key}first, sums } of groups) {`,
    ...indent(['yield at(first, {', ...indent([...members, '...sums,']), '});']),
    '}',
  ];
}

const isNumber = (field: Field | undefined) =>
  field?.schema.type === 'number' || field?.schema.type === 'integer';

/** The function that gives the key of a row; rows that are no data have none. */
function writeKey(
  { sheets }: RowsPlan,
  section: FieldPlan | undefined,
  rowKeys: readonly FieldPlan[],
): string[] {
  const [sheet] = sheets;
  const endsWithTotal = sheet.totals.length > 0;
  const texts = rowKeys.map(({ origin }) => {
    const text = writeText(origin, sheet);
    const isEnded = origin.kind === 'section' && endsWithTotal;
    return isEnded ? `${text} || row.text(${quote(origin.column)})` : text;
  });
  const key = texts.length > 1 ? `[${texts.join(', ')}].join('\\t')` : (texts[0] ?? "''");
  const checked = needsDataCheck(sheet) ? `isData(row) ? ${key} : undefined` : key;
  const isConditional = checked !== key;
  if (section?.origin.kind !== 'section')
    return [`(row) => ${isConditional ? `(${checked})` : key},`];
  return [
    '(row) => {',
    ...indent([
      writeSectionLine(section.origin.column, sheet),
      ...(endsWithTotal
        ? ["else if (!isData(row)) section = ''; // a row without a heading is a class"]
        : []),
      `return ${checked};`,
    ]),
    '},',
  ];
}

function writeFigure(plan: FieldPlan, { options }: RowsPlan): string {
  const column = plan.origin.kind === 'column' ? plan.origin.column : '';
  const decimal =
    options.decimal === undefined || options.decimal === '?' ? '' : `, ${quote(options.decimal)}`;
  const value = `parseNumber(row.get(${quote(column)})${decimal})`;
  return `${propertyName(plan.field)}: ${value},${formatRemark(plan)}`;
}
