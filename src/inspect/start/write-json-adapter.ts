import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FieldTarget } from '../../publish/mapping/field-targets.ts';
import type { FileProfile } from '../inspect-file.ts';
import type { JsonShape } from '../json-shape.ts';
import { type ColumnProfile, profileColumn } from '../profile-column.ts';
import { formatRemark, writeAdapterFrame } from './adapter-frame.ts';
import { indent, propertyName, propertyOf, quote } from './code.ts';
import type { FieldPlan } from './field-plan.ts';
import { inferOptions } from './infer-options.ts';
import { type FieldMatch, matchFields } from './match-fields.ts';
import { getTargets } from './plan-fields.ts';

/** The objects of a JSON file that become records. */
export interface JsonPlan {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  readonly shape: JsonShape;
  readonly members: readonly ColumnProfile[];
  readonly fields: readonly JsonField[];
}

/** Where a field comes from: a member of the object, or code. */
interface JsonField extends FieldPlan {
  readonly code: string;
}

export function planJson(dataset: Dataset, file: FileProfile): JsonPlan | undefined {
  const [shape] = file.shapes;
  if (!shape) return undefined;
  const members = profileMembers(shape);
  const targets = getTargets(dataset);
  const matches = matchFields(members, targets);
  const fields: JsonField[] = [];
  for (const [field, target] of targets.fields) {
    const match = matches.find((found) => found.field === field);
    const plan = match ? toMemberField(match) : planOther(field, target, dataset, shape);
    if (plan) fields.push(plan);
  }
  return { dataset, file, shape, members, fields };
}

/** The members of the objects, as if they were columns. */
export function profileMembers({ members }: JsonShape): ColumnProfile[] {
  return [...members].map(([name, values], index) =>
    profileColumn(name, index, values.map(toCell)),
  );
}

function toMemberField({ field, source, isSure }: FieldMatch<ColumnProfile>): JsonField {
  const check = isSure ? {} : { check: '' };
  const { name } = source;
  return { field, origin: { kind: 'column', column: name }, code: writeMember(name), ...check };
}

function planOther(
  field: string,
  { field: declared, isOptional }: FieldTarget,
  dataset: Dataset,
  shape: JsonShape,
): JsonField | undefined {
  if (isOptional) return undefined;
  const keys = declared.periodKind ? planPeriodFromKeys(shape) : undefined;
  if (keys) return { field, origin: { kind: 'template', template: keys }, code: keys };
  const isFigure = declared.kind === 'price' || declared.kind === 'amount';
  if (dataset.shape === 'quotes' && isFigure) {
    const check = 'not in the file: 0 is none';
    return { field, origin: { kind: 'constant', text: '0' }, code: '0', check };
  }
  return { field, origin: { kind: 'missing', requirement: declared.requirement }, code: "''" };
}

/** What is neither text nor a number, as JSON. */
export const toCell = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' || value === null
    ? value
    : JSON.stringify(value);

/** `value.quote?.bid` for the member `quote.bid`. */
function writeMember(name: string): string {
  const [first = '', ...rest] = name.split('.');
  return rest.reduce(
    (code, part) => propertyOf(`${code}?`, part).replace('?[', '?.['),
    propertyOf('value', first),
  );
}

/** A period that is in the names above the object: `data.2024.Q1`. */
function planPeriodFromKeys({ keys }: JsonShape): string | undefined {
  const find = (pattern: RegExp) =>
    keys.findIndex((names) => names.length > 0 && names.every((name) => pattern.test(name)));
  const year = find(/^(?:FY)?(?:19|20)?\d\d(?:-\d\d)?$/i);
  const part = find(
    /^(?:[qh][1-4]|[1-4]q|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)$/i,
  );
  const quarter = find(/^[1-4]$/);
  const name = (index: number) => `\${keys[${index}]}`;
  if (part >= 0 && year >= 0) return `\`${name(part)} ${name(year)}\``;
  if (quarter >= 0 && year >= 0) return `\`Q${name(quarter)} ${name(year)}\``;
  return year >= 0 ? `keys[${year}] ?? ''` : undefined;
}

export function writeJsonAdapter({ dataset, file, shape, members, fields }: JsonPlan) {
  const usedMembers = fields.flatMap(({ origin }) =>
    origin.kind === 'column' ? [origin.column] : [],
  );
  const used = members.filter(({ name }) => usedMembers.includes(name));
  const { options, questions } = inferOptions(used, file, dataset);
  const unused = members.filter((member) => !used.includes(member)).map(({ name }) => name);
  const usesKeys = fields.some(({ code }) => code.includes('keys['));
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
    body: [
      `for await (const { ${usesKeys ? 'keys, ' : ''}value } of file.json(${path})) {`,
      ...indent(['yield {', ...indent(fields.map(writeJsonField)), '};']),
      '}',
    ],
  });
  return { code, questions };
}

const writeJsonField = (field: JsonField) =>
  `${propertyName(field.field)}: ${field.code},${formatRemark(field)}`;
