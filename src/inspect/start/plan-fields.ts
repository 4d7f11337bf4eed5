import type { Dataset } from '../../catalogue/model/dataset.ts';
import {
  type FieldTarget,
  type FieldTargets,
  getFieldTargets,
  getFundRowTargets,
} from '../../publish/mapping/field-targets.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import type { FieldOrigin, FieldPlan } from './field-plan.ts';
import { matchFields } from './match-fields.ts';

export const getTargets = (dataset: Dataset): FieldTargets =>
  dataset.shape === 'fund' ? getFundRowTargets(dataset) : getFieldTargets(dataset);

/** Plans where each field of a dataset comes from, in a table with a record in each row. */
export function planFields(dataset: Dataset, file: FileProfile, sheet: SheetProfile): FieldPlan[] {
  const targets = getTargets(dataset);
  const columns = sheet.columns.filter(({ name }) => name !== '');
  const matches = matchFields(columns, targets);
  const plans: FieldPlan[] = matches.map(({ field, source, isSure }) => ({
    field,
    origin: { kind: 'column', column: source.name },
    ...(!isSure && { check: '' }),
  }));
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
  return plans.toSorted((a, b) => getOrder(a) - getOrder(b));
}

interface PlanContext {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  readonly sheet: SheetProfile;
  /** Columns that hold no field so far. */
  readonly free: readonly ColumnProfile[];
  readonly plans: readonly FieldPlan[];
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
    const origin = findDayOrigin(context);
    if (origin) return [{ field, origin }];
  }
  if (field === 'couponRate') return planCoupon(context);
  if (dataset.shape === 'fund' && !isOptional) return planFundField(field, target, context);
  if (isOptional) return [];
  if (dataset.shape === 'quotes') {
    const symbol = plans.find((plan) => plan.field === 'symbol')?.origin;
    if (field === 'isin' && symbol)
      return [{ field, origin: symbol, check: 'no column has ISINs: the symbol stands for them' }];
    const isFigure = declared.kind === 'price' || declared.kind === 'amount';
    if (isFigure)
      return [
        { field, origin: { kind: 'constant', text: '0' }, check: 'not in the file: 0 is none' },
      ];
  }
  return [{ field, origin: { kind: 'missing', requirement: declared.requirement } }];
}

function findDayOrigin({ file, sheet }: PlanContext): FieldOrigin | undefined {
  const [title] = sheet.days;
  if (title) return { kind: 'day', in: 'title', day: title.day };
  if (sheet.day) return { kind: 'day', in: 'sheet', day: sheet.day };
  return file.day === undefined ? undefined : { kind: 'day', in: 'file', day: file.day };
}

const MONTH_NAME = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$/i;

/** A month or quarter in one column, and its year in another. */
function findPeriodTemplate(
  columns: readonly ColumnProfile[],
  period: 'annual' | 'quarterly' | 'monthly',
): string | undefined {
  const year = columns.find(({ kind }) => kind === 'year');
  if (!year || period === 'annual') return undefined;
  const pattern = period === 'monthly' ? MONTH_NAME : /^Q[1-4]$/i;
  const part = columns.find(
    ({ examples }) => examples.length > 0 && examples.every((text) => pattern.test(text)),
  );
  if (part) return `{${part.name}} {${year.name}}`;
  const number = columns.find(
    ({ name, kind }) => kind === 'number' && /^(?:quarter|qtr|q)$/i.test(name),
  );
  return period === 'quarterly' && number ? `Q{${number.name}} {${year.name}}` : undefined;
}

function planCoupon({ free, plans, sheet }: PlanContext): FieldPlan[] {
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

/** Funds are often sheets, and classes headings between the rows. */
function planFundField(
  field: string,
  { field: declared }: FieldTarget,
  context: PlanContext,
): FieldPlan[] {
  const { sheet } = context;
  if (field === 'fund_id' && sheet.name !== '')
    return [{ field, origin: { kind: 'sheet name' }, check: 'the identifier of the fund' }];
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
  return [{ field, origin: { kind: 'missing', requirement: declared.requirement } }];
}

/** Lists have a column for each key, or a row for each. */
function planList(list: string, { free, sheet }: PlanContext): FieldPlan[] {
  const figures = free.filter(({ kind }) => kind === 'number' || kind === 'percent');
  const texts = free.filter(({ kind, distinct }) => kind === 'text' && distinct > 1);
  const check = '';
  const [text] = texts;
  const [figure] = figures;
  if (text && figure && sheet.dataRows.length > 1)
    return [
      { field: `${list}:key`, origin: { kind: 'column', column: text.name }, check },
      { field: `${list}:value`, origin: { kind: 'column', column: figure.name }, check },
    ];
  if (figures.length === 0)
    return [{ field: list, origin: { kind: 'missing', requirement: 'a column for each key' } }];
  return figures.map(({ name }) => ({
    field: `${list}.${name}`,
    origin: { kind: 'column', column: name },
    check,
  }));
}
