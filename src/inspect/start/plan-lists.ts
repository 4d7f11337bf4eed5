import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FieldTarget } from '../../publish/mapping/field-targets.ts';
import type { ColumnProfile } from '../profile-column.ts';
import type { FieldOrigin, FieldPlan } from './field-plan.ts';
import { getTargets, type PlanContext, planMissing } from './plan-context.ts';
import { compareWords, splitWords } from './words.ts';

/** Lists have a column for each key, or a row for each. */
export function planList(list: string, { free, sheet, dataset }: PlanContext): FieldPlan[] {
  const words = splitWords(dataset.name);
  const likeness = ({ name }: ColumnProfile) => compareWords(splitWords(name), words);
  const figures = free
    .filter(({ kind }) => kind === 'number' || kind === 'percent')
    .toSorted((a, b) => likeness(b) - likeness(a));
  const texts = free.filter(({ kind, distinct }) => kind === 'text' && distinct > 1);
  const listWords = splitWords(list);
  const isNamedAfterList = ({ name }: ColumnProfile) =>
    compareWords(splitWords(name), listWords) > 0;
  const check = '';
  const text = texts.find(isNamedAfterList) ?? texts[0];
  const [figure] = figures;
  if (text && figure && sheet.dataRows.length > 1)
    return [
      { field: `${list}:key`, origin: { kind: 'column', column: text.name }, check },
      { field: `${list}:value`, origin: planListValue(list, figure, dataset), check },
    ];
  if (figures.length === 0)
    return [{ field: list, origin: { kind: 'missing', requirement: 'a column for each key' } }];
  const amounts = figures.filter((figure) => planListValue(list, figure, dataset).kind === 'share');
  if (amounts.length > 0) {
    const names = amounts.map(({ name }) => name).join(', ');
    const requirement = `shares of 1; ${names} hold more, which sharesOfTotal in an adapter divides`;
    return [{ field: list, origin: { kind: 'missing', requirement } }];
  }
  return figures
    .toSorted((a, b) => a.index - b.index)
    .map(({ name }) => ({
      field: `${list}.${name}`,
      origin: { kind: 'column', column: name },
      check,
    }));
}

/** Figures beyond 1 are no shares, but can be turned into some. */
function planListValue(list: string, { name, max }: ColumnProfile, dataset: Dataset): FieldOrigin {
  const isShare = getTargets(dataset).lists.get(list)?.value.kind === 'share';
  return { kind: isShare && (max ?? 0) > 1 ? 'share' : 'column', column: name };
}

/** A total that is missing is the sum of its list where that has a row for each key. */
export function planListTotals(plans: readonly FieldPlan[], { checks }: Dataset): FieldPlan[] {
  return plans.map((plan) => {
    const check = checks.find(
      ({ name, field }) => name === 'list-above-total' && field === plan.field,
    );
    const list = check?.others.find((name) => plans.some(({ field }) => field === `${name}:value`));
    if (list === undefined || plan.origin.kind !== 'missing') return plan;
    return { field: plan.field, origin: { kind: 'list total' }, check: `the sum of ${list}` };
  });
}

/** Funds are often sheets, and classes headings between the rows. */
export function planFundField(
  field: string,
  { field: declared }: FieldTarget,
  context: PlanContext,
): FieldPlan[] {
  const { sheet } = context;
  if (field === 'fund_id' && sheet.name !== '')
    return [{ field, origin: { kind: 'sheet name' }, check: 'the identifier of the fund' }];
  const figures = context.free.filter(({ kind }) => kind === 'number' || kind === 'percent');
  const classes = figures.map(({ name }) => name);
  const isValueMissing = !context.plans.some((plan) => plan.field === 'value');
  if (classes.length > 1 && isValueMissing) {
    const part = field === 'class' ? 'name' : 'value';
    const check = field === 'class' ? 'the columns that are classes' : undefined;
    if (field === 'class' || field === 'value')
      return [
        { field, origin: { kind: 'across', part, columns: classes }, ...(check && { check }) },
      ];
  }
  if (field === 'class' && sheet.sections.length > 0) {
    const column = sheet.columns.find(({ kind, name }) => kind === 'text' && name !== '');
    if (column)
      return [
        {
          field,
          origin: { kind: 'section', column: column.name },
          check: 'the headings in the table',
        },
      ];
  }
  return [planMissing(field, declared)];
}
