import type { FieldPlan } from './field-plan.ts';
import type { PlanContext } from './plan-context.ts';

/** A name that is not unique in a day, together with the maturity. */
export function planSymbol({ free, plans, sheet }: PlanContext): FieldPlan[] {
  const maturity = plans.find(({ field }) => field === 'maturityDate')?.origin;
  const name = free.find(({ kind, distinct }) => kind === 'text' && distinct > 1);
  if (maturity?.kind !== 'column' || !name || sheet.columns.length < 3) return [];
  const template = `{${name.name}} {${maturity.column}}`;
  const check = 'no column has symbols: name and maturity stand for them';
  return [{ field: 'symbol', origin: { kind: 'template', template }, check }];
}

export function planCoupon({ free, plans, sheet }: PlanContext): FieldPlan[] {
  const symbol = plans.find(({ field }) => field === 'symbol')?.origin;
  const column = [...free, ...sheet.columns].find(
    ({ percentInText }) => percentInText !== undefined,
  );
  if (!column || !symbol) return [];
  return [
    {
      field: 'couponRate',
      origin: { kind: 'percentage', column: column.name },
      check: `as in ${JSON.stringify(column.percentInText)}`,
    },
  ];
}
