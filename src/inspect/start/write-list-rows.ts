import { formatRemark } from './adapter-frame.ts';
import { propertyName, quote } from './code.ts';
import { findCarried } from './find-keys.ts';
import type { RowsPlan } from './plan-rows.ts';
import { needsDataCheck, readAbove, writeAbove, writeTableArguments } from './row-code.ts';
import { writeField, writeOrigin, writeText } from './write-field.ts';
import { writeListGroups } from './write-list-groups.ts';

/** Lines that put several rows into the list of a record, with its shares or total. */
export function writeListRows({ fields, sheets, file, options }: RowsPlan): string[] {
  const [sheet] = sheets;
  const carried = findCarried(sheet, fields);
  const find = (end: string) => fields.find(({ field }) => field.endsWith(end))?.origin;
  const [listKey, value] = [find(':key'), find(':value')];
  const keyed = fields.find(
    ({ field, origin }) =>
      !field.includes(':') && (origin.kind === 'column' || origin.kind === 'template'),
  );
  const key = keyed ? readAbove(writeText(keyed.origin, sheet), carried) : "''";
  const checks = [
    ...(needsDataCheck(sheet) ? ['isData(row)'] : []),
    ...(sheet.end === undefined ? [] : [`row.position <= ${sheet.end}`]),
  ];
  const result = checks.length > 0 ? `(${checks.join(' && ')} ? ${key} : undefined)` : key;
  const { above, fill } = writeAbove(carried);
  const { decimal = '?' } = options;
  const sign = decimal === '?' ? '' : `, ${quote(decimal)}`;
  const groups = writeListGroups({
    fields,
    source: `${file.format === 'xlsx' ? 'sheet' : 'file'}.table(${writeTableArguments(sheet, fields)})`,
    parameter: 'row',
    key: fill.length > 0 ? [...fill, `return ${result};`] : [result],
    listKey: listKey ? readAbove(writeText(listKey, sheet), carried) : "''",
    figure: value ? `parseNumber(${writeOrigin(value, sheet)}${sign})` : '0',
    writeMember: (plan) =>
      carried.length > 0 && plan === keyed
        ? `${propertyName(plan.field)}: key,${formatRemark(plan)}`
        : writeField(plan, sheet, 'first'),
    usesKey: carried.length > 0,
  });
  return [...above, ...groups];
}
