import { formatRemark, writeAdapterFrame, writeChoices } from './adapter-frame.ts';
import { indent, propertyName, propertyOf, quote } from './code.ts';
import type { FieldOrigin, FieldPlan } from './field-plan.ts';
import { isUsed, needsListGroups } from './field-plan.ts';
import { inferOptions } from './infer-options.ts';
import { askAboutCoupons } from './open-questions.ts';
import type { JsonPlan } from './plan-json.ts';
import { writeListGroups } from './write-list-groups.ts';

/** An adapter that yields a record for each object at a path of a JSON file. */
export function writeJsonAdapter({ dataset, file, shape, sheet, fields }: JsonPlan) {
  const used = sheet.columns.filter(({ name }) => isUsed(name, fields));
  const unused = sheet.columns.filter((member) => !used.includes(member)).map(({ name }) => name);
  const { options, questions: open } = inferOptions(used, file, dataset);
  const questions = [...open, ...askAboutCoupons(dataset, fields)];
  const uses = (kind: FieldOrigin['kind']) => fields.some(({ origin }) => origin.kind === kind);
  const usesKeys = uses('keys');
  const usesDay = uses('day');
  const hasLists = needsListGroups(fields);
  const path = shape.path === '' ? '' : quote(shape.path);
  const keys = shape.keys.map((names) => names.slice(0, 3).join(', '));
  const code = writeAdapterFrame({
    dataset,
    fileName: file.name,
    remarks: [
      ...(keys.length > 0 ? [`In ${shape.path}, * is ${keys.join('; ')}.`] : []),
      ...questions.map((question) => `To decide: ${question}.`),
      ...(unused.length > 0 ? [`Not used: ${unused.join(', ')}.`] : []),
    ],
    options: { ...options, ...(usesKeys && dataset.period && { periods: 'sbp' }) },
    imports: [
      ...(usesDay ? ['findDate'] : []),
      ...(uses('percentage') ? ['findPercentage'] : []),
      ...(uses('figure') ? ['parseNumber'] : []),
      ...(hasLists ? ['at', 'groupAndSum', 'parseNumber'] : []),
      ...(uses('share') ? ['sharesOfTotal'] : []),
    ],
    body: [
      ...(usesDay ? ["const date = findDate(file.name) ?? '';"] : []),
      ...(hasLists ? writeLists(fields, path, usesKeys) : writeRecords(fields, path, usesKeys)),
    ],
    below: writeChoices(fields),
  });
  return { code, questions };
}

const writeRecords = (fields: readonly FieldPlan[], path: string, usesKeys: boolean) => [
  `for await (const { ${usesKeys ? 'keys, ' : ''}value } of file.json(${path})) {`,
  ...indent(['yield {', ...indent(fields.map((plan) => writeMemberField(plan))), '};']),
  '}',
];

/** Lists of several objects, with their shares or totals. */
function writeLists(fields: readonly FieldPlan[], path: string, usesKeys: boolean): string[] {
  const find = (end: string) => fields.find(({ field }) => field.endsWith(end))?.origin;
  const [listKey, value] = [find(':key'), find(':value')];
  const key = fields.find(
    ({ field, origin }) =>
      !field.includes(':') && origin.kind !== 'missing' && origin.kind !== 'list total',
  );
  return writeListGroups({
    fields,
    source: `file.json(${path})`,
    parameter: `{ ${usesKeys ? 'keys, ' : ''}value }`,
    key: [key ? writeValue(key.origin) : "''"],
    listKey: listKey ? writeValue(listKey) : "''",
    figure: value ? `parseNumber(${writeValue(value)})` : '0',
    writeMember: (plan) => writeMemberField(plan).replaceAll(/\b(value[.[?]|keys\[)/g, 'first.$1'),
  });
}

function writeMemberField(plan: FieldPlan): string {
  const value = writeValue(plan.origin);
  const name = propertyName(plan.field);
  return `${name === value ? name : `${name}: ${value}`},${formatRemark(plan)}`;
}

function writeValue(origin: FieldOrigin): string {
  switch (origin.kind) {
    case 'column':
    case 'share':
      return writeMember(origin.column);
    case 'figure':
      return `parseNumber(${writeMember(origin.column)}?.replace(/[^\\d.,()%-]/g, '')) ?? null`;
    case 'date':
      return `${writeMember(origin.column)}?.slice(0, 10)`;
    case 'template':
      return `\`${origin.template.replace(/\{([^}]+)\}/g, (_, name: string) => `\${${writeMember(name)}}`)}\``;
    case 'constant':
      return /^\d+$/.test(origin.text) ? origin.text : quote(origin.text);
    case 'percentage':
      return `findPercentage(${writeMember(origin.column)}) ?? null`;
    case 'choice':
      return `CHOICES[${writeMember(origin.column)}] ?? ''`;
    case 'keys':
      return origin.code;
    case 'day':
      return 'date';
    default:
      return "''";
  }
}

/** `value.quote?.bid` for the member `quote.bid`. */
export function writeMember(name: string, object = 'value'): string {
  const [first = '', ...rest] = name.split('.');
  return rest.reduce(
    (code, part) => propertyOf(`${code}?`, part).replace('?[', '?.['),
    propertyOf(object, first),
  );
}
