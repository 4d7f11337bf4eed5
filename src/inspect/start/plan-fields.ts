import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FieldTarget } from '../../publish/mapping/field-targets.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { isAlias } from './aliases.ts';
import type { FieldOrigin, FieldPlan } from './field-plan.ts';
import { matchFields } from './match-fields.ts';
import { planChoice } from './plan-choice.ts';
import { getTargets, type PlanContext, planMissing } from './plan-context.ts';
import {
  findDayOrigin,
  findOnlyDayColumn,
  findPeriodTemplate,
  findSerialColumn,
} from './plan-days.ts';
import { planFundField, planList, planListTotals } from './plan-lists.ts';
import { planCoupon, planSymbol } from './plan-security.ts';

/** Plans where each field of a dataset comes from, in a table with a record in each row. */
export function planFields(dataset: Dataset, file: FileProfile, sheet: SheetProfile): FieldPlan[] {
  const targets = getTargets(dataset);
  const columns = sheet.columns.filter(({ name }) => name !== '');
  const matches = matchFields(columns, targets);
  const plans = matches.map(({ field, source, isSure }): FieldPlan => {
    const origin: FieldOrigin = { kind: getOriginKind(source), column: source.name };
    const plan = { field, origin, ...(!isSure && { check: '' }) };
    const declared = targets.fields.get(field)?.field;
    return declared ? planChoice(plan, declared, sheet) : plan;
  });
  const free = columns.filter(({ index }) => !matches.some(({ source }) => source.index === index));
  const context = { dataset, file, sheet, free, plans };
  for (const [field, target] of targets.fields) {
    if (plans.some((plan) => plan.field === field)) continue;
    const list = targets.lists.has(field);
    const found = list ? planList(field, context) : planOther(field, target, context);
    plans.push(...found);
  }
  const order = [...targets.fields.keys()];
  const getOrder = ({ field }: FieldPlan) => order.indexOf(field.replace(/[.:].*/, ''));
  return planListTotals(plans, dataset).toSorted((a, b) => getOrder(a) - getOrder(b));
}

/** A cell as it stands, or what has to be taken out of it. */
function getOriginKind({ hasTime, hasUnit }: ColumnProfile): 'column' | 'date' | 'figure' {
  if (hasTime) return 'date';
  return hasUnit ? 'figure' : 'column';
}

/** What a field is made of that no column holds by itself. */
function planOther(field: string, target: FieldTarget, context: PlanContext): FieldPlan[] {
  const { field: declared, isOptional } = target;
  const { free, plans, dataset } = context;
  if (declared.periodKind) {
    const template = findPeriodTemplate(free, declared.periodKind.name);
    if (template) return [{ field, origin: { kind: 'template', template }, check: '' }];
  }
  if (field === 'date') {
    const column = findOnlyDayColumn(free);
    if (column) {
      const origin: FieldOrigin = { kind: getOriginKind(column), column: column.name };
      return [{ field, origin, check: '' }];
    }
    const origin = findDayOrigin(context);
    if (origin) return [{ field, origin }];
  }
  if (field === 'couponRate') return planCoupon(context);
  if (dataset.shape === 'fund' && !isOptional) return planFundField(field, target, context);
  if (isOptional || plans.some((plan) => plan.field === target.alternative)) return [];
  if (dataset.shape === 'quotes') {
    const symbol = plans.find((plan) => plan.field === 'symbol')?.origin;
    if (field === 'isin' && symbol && symbol.kind !== 'missing')
      return [{ field, origin: symbol, check: 'no column has ISINs: the symbol stands for them' }];
    const isFigure = declared.kind === 'price' || declared.kind === 'amount';
    const unread = isFigure ? free.find(({ name }) => isAlias(field, name)) : undefined;
    if (unread) {
      const requirement = `${unread.name} has no plain numbers, but ${unread.examples[0]}`;
      return [{ field, origin: { kind: 'missing', requirement } }];
    }
    if (isFigure)
      return [
        { field, origin: { kind: 'constant', text: '0' }, check: 'not in the file: 0 is none' },
      ];
  }
  if (field === 'symbol') {
    const symbol = planSymbol(context);
    if (symbol.length > 0) return symbol;
  }
  const serial = declared.kind === 'day' ? findSerialColumn(field, free) : undefined;
  if (serial) {
    const requirement = `${serial.name} has days as numbers, such as ${serial.min}; format its cells as dates`;
    return [{ field, origin: { kind: 'missing', requirement } }];
  }
  return [planMissing(field, declared)];
}
