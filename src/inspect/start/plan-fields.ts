import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import type { FieldTarget } from '../../publish/mapping/field-targets.ts';
import { toText } from '../find-header.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { isAlias } from './aliases.ts';
import { type FieldOrigin, type FieldPlan, getTargets, isUsed, planMissing } from './field-plan.ts';
import { findDayOrigin, findOnlyDayColumn, findPeriodTemplate } from './find-periods.ts';
import { matchFields } from './match-fields.ts';
import { planList } from './plan-list.ts';

/** The file, and the fields that were found in it so far. */
interface FieldContext {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  readonly sheet: SheetProfile;
  /** Columns that hold no field. */
  readonly free: readonly ColumnProfile[];
  readonly plans: readonly FieldPlan[];
}

/** Plans where each field of a dataset comes from, in a table with a record in each row. */
export function planFields(dataset: Dataset, file: FileProfile, sheet: SheetProfile): FieldPlan[] {
  const targets = getTargets(dataset);
  const columns = sheet.columns.filter(({ name }) => name !== '');
  const matches = matchFields(columns, targets);
  const plans = matches.map(({ field, source, isSure }): FieldPlan => {
    const plan = { field, origin: toOrigin(source), ...(!isSure && { check: '' }) };
    const declared = targets.fields.get(field)?.field;
    return declared ? planChoice(plan, declared, sheet) : plan;
  });
  for (const [field, target] of targets.fields) {
    if (plans.some((plan) => plan.field === field)) continue;
    const free = columns.filter(({ name }) => !isUsed(name, plans));
    const context = { dataset, file, sheet, free, plans };
    if (targets.lists.has(field)) plans.push(...planList(field, dataset, free));
    else plans.push(...(planUnmatched(field, target, context) ?? []));
  }
  const order = [...targets.fields.keys()];
  const getOrder = ({ field }: FieldPlan) => order.indexOf(field.replace(/[.:].*/, ''));
  return plans.toSorted((a, b) => getOrder(a) - getOrder(b));
}

/** A cell as it stands, or what has to be taken out of it. */
function toOrigin({ name, hasTime, hasUnit }: ColumnProfile): FieldOrigin {
  return { kind: hasTime ? 'date' : hasUnit ? 'figure' : 'column', column: name };
}

/** Words of the instrument types. */
const CHOICE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/bill|\bmtb\b|\bcmb\b/i, 'tbill'],
  [/corp|ncd|debenture|\btfc\b|commercial|company|\bpsu\b/i, 'corporate'],
  [
    /bond|note|gilt|treasur|go[vp]|sovereign|g-?sec|\bsdl\b|sukuk|\bpib\b|conventional|index|linked/i,
    'bond',
  ],
];

const MAX_CHOICES = 30;

/** Turns a column of other words into choices; as it is where its texts are choices already. */
function planChoice(plan: FieldPlan, field: Field, sheet: SheetProfile): FieldPlan {
  const choices = field.schema.enum as readonly string[] | undefined;
  const { origin } = plan;
  if (field.kind !== 'choice' || !choices || origin.kind !== 'column') return plan;
  const index = sheet.columns.find(({ name }) => name === origin.column)?.index ?? -1;
  const texts = [...new Set(sheet.dataRows.map(({ cells }) => toText(cells[index])))];
  if (texts.every((text) => choices.includes(text.toLowerCase()))) return plan;
  const pairs = texts.slice(0, MAX_CHOICES).map((text) => {
    const [, choice = '?'] = CHOICE_WORDS.find(([pattern]) => pattern.test(text)) ?? [];
    return [text, choices.includes(choice) ? choice : '?'] as const;
  });
  const check = `one of ${choices.join(', ')} for each`;
  return {
    field: plan.field,
    origin: { kind: 'choice', column: origin.column, choices: pairs },
    check,
  };
}

/** A field that no column holds by itself; none where it may be left out. */
function planUnmatched(field: string, target: FieldTarget, context: FieldContext): FieldPlan[] {
  const { field: declared, isOptional, alternative } = target;
  const { plans } = context;
  const plan = planTime(field, target, context) ?? planCoupon(field, context);
  if (plan) return [plan];
  if (isOptional || plans.some((other) => other.field === alternative)) return [];
  return [
    planFund(field, context) ?? planQuote(field, target, context) ?? planMissing(field, declared),
  ];
}

/** A period of two columns; a day in the only column of days, in a title or in a name. */
function planTime(
  field: string,
  { field: { periodKind } }: FieldTarget,
  { free, file, sheet }: FieldContext,
): FieldPlan | undefined {
  const template = periodKind && findPeriodTemplate(free, periodKind.name);
  if (template) return { field, origin: { kind: 'template', template }, check: '' };
  if (field !== 'date') return undefined;
  const column = findOnlyDayColumn(free);
  if (column) return { field, origin: toOrigin(column), check: '' };
  const origin = findDayOrigin(file, sheet);
  return origin && { field, origin };
}

function planCoupon(field: string, { free, plans, sheet }: FieldContext): FieldPlan | undefined {
  if (field !== 'couponRate' || !plans.some((plan) => plan.field === 'symbol')) return undefined;
  const column = [...free, ...sheet.columns].find(({ percentInText }) => percentInText);
  if (!column) return undefined;
  const check = `as in ${JSON.stringify(column.percentInText)}`;
  return { field, origin: { kind: 'percentage', column: column.name }, check };
}

/** Funds are often sheets, and classes headings between the rows. */
function planFund(field: string, { dataset, sheet }: FieldContext): FieldPlan | undefined {
  if (dataset.shape !== 'fund') return undefined;
  if (field === 'fund_id' && sheet.name !== '')
    return { field, origin: { kind: 'sheet name' }, check: 'the identifier of the fund' };
  const column = sheet.columns.find(({ kind, name }) => kind === 'text' && name !== '');
  if (field !== 'class' || sheet.sections.length === 0 || !column) return undefined;
  return { field, origin: { kind: 'heading', column: column.name } };
}

/** The symbol stands for an ISIN; 0 for a price or volume that the file does not have. */
function planQuote(
  field: string,
  { field: declared }: FieldTarget,
  { dataset, plans, free }: FieldContext,
): FieldPlan | undefined {
  if (dataset.shape !== 'quotes') return undefined;
  const symbol = plans.find((plan) => plan.field === 'symbol')?.origin;
  if (field === 'isin' && symbol && symbol.kind !== 'missing')
    return { field, origin: symbol, check: 'no column has ISINs: the symbol stands for them' };
  if (declared.kind !== 'price' && declared.kind !== 'amount') return undefined;
  const unread = free.find(({ name }) => isAlias(field, name));
  if (!unread)
    return { field, origin: { kind: 'constant', text: '0' }, check: 'not in the file: 0 is none' };
  const requirement = `${unread.name} has no plain numbers, but ${unread.examples[0]}`;
  return { field, origin: { kind: 'missing', requirement } };
}
