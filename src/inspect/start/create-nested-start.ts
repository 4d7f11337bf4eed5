import type { Dataset } from '../../catalogue/model/dataset.ts';
import { type JsonShape, profileMembers } from '../json-shape.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { quote, writeAccess, writeTextTable } from './code.ts';
import { askAboutShares, leaveOpen } from './create-wide-start.ts';
import { getTargets } from './field-plan.ts';
import { fillTemplate } from './fill-template.ts';
import { findPeriodOfKeys } from './find-periods.ts';
import { matchNames } from './match-fields.ts';
import { describeKeys, type ObjectsPlan } from './plan-objects.ts';
import type { Start } from './start.ts';

/**
 * A start for objects below a period, each with one figure of the record of that period. Undefined
 * where the objects hold fields themselves, or are not below a period.
 */
export function createNestedStart(plan: ObjectsPlan): Start | undefined {
  const { dataset, file, shape, fields } = plan;
  const period = dataset.period && findPeriodOfKeys(shape, dataset.period.kind);
  const depth = period ? shape.keys.length - period.last - 1 : 0;
  const isFound = fields.some(
    ({ field, origin }) => field !== dataset.period?.field && origin.kind !== 'missing',
  );
  if (!period || depth < 1 || (isFound && getTargets(dataset).lists.size === 0)) return undefined;
  const members = profileMembers(shape);
  const figures = members.filter(({ kind }) => kind === 'number' || kind === 'year');
  const [figure = '?', ...otherFigures] = figures.map(({ name }) => name);
  // With more levels, any of them may have the name.
  const name = depth === 1 ? findName(shape, members) : undefined;
  const { fields: names, missing } = matchNames(dataset, name?.texts ?? ['?']);
  const amounts = askAboutShares(dataset, figures);
  return fillTemplate('nested', {
    dataset,
    fileName: file.name,
    reasons: ['the records are nested'],
    missing,
    questions: [
      ...(name ? [] : ['getName: the text that says what a figure is; then FIELDS']),
      ...(otherFigures.length > 0 ? [`getFigure: ${figure} or ${otherFigures.join(' or ')}`] : []),
      ...amounts,
      ...askAboutSizes(dataset, figures),
    ],
    remarks: describeKeys(shape),
    options: { periods: 'sbp' },
    declarations: {
      PATH: quote(shape.path),
      FIELDS: writeTextTable(amounts.length > 0 ? leaveOpen(names) : names),
      PERIOD: quote(dataset.period?.field ?? ''),
      getPeriod: `({ keys }: JsonValue): string => ${period.code}`,
      getName: name
        ? `(${name.from}: JsonValue): string => ${name.code}`
        : "(_item: JsonValue): string => '?'",
      PART: undefined,
      getFigure: `({ value }: JsonValue) => ${otherFigures.length > 0 ? "'?'" : writeAccess('value', figure)}`,
    },
  });
}

/** The names above the objects, or their only member of texts. */
function findName({ keys, objects, steps }: JsonShape, members: readonly ColumnProfile[]) {
  const level = keys.length - 1;
  const names = steps.map((step) => step[level]?.key ?? '');
  if (names.some((name) => !/^\d+$/.test(name)))
    return { from: '{ keys }', code: `keys[${level}] ?? ''`, texts: [...new Set(names)] };
  const [text, ...others] = members.filter(({ kind }) => kind === 'text');
  if (!text || others.length > 0) return undefined;
  const texts = objects.map((object) => String(object[text.name]));
  return { from: '{ value }', code: writeAccess('value', text.name), texts: [...new Set(texts)] };
}

function askAboutSizes({ fields }: Dataset, figures: readonly ColumnProfile[]): string[] {
  const units = new Set(Object.values(fields).flatMap(({ unit }) => unit ?? []));
  const sizes = figures.map(({ name, max }) => `${name} has up to ${max}`);
  return units.size > 0
    ? [`unit: the dataset is in ${[...units].join(', ')}, and ${sizes.join(', ')}`]
    : [];
}
