import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import { normalizeName } from '../../publish/mapping/column-names.ts';
import {
  type FieldTarget,
  type FieldTargets,
  getFieldTargets,
  getFundRowTargets,
} from '../../publish/mapping/field-targets.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { isAlias } from './aliases.ts';
import type { FieldOrigin, FieldPlan } from './field-plan.ts';
import { matchFields } from './match-fields.ts';
import { planChoice } from './plan-choice.ts';
import { compareWords, splitWords } from './words.ts';

export const getTargets = (dataset: Dataset): FieldTargets =>
  dataset.shape === 'fund' ? getFundRowTargets(dataset) : getFieldTargets(dataset);

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
  return plans.toSorted((a, b) => getOrder(a) - getOrder(b));
}

/** A cell as it stands, or what has to be taken out of it. */
function getOriginKind({ hasTime, hasUnit }: ColumnProfile): 'column' | 'date' | 'figure' {
  if (hasTime) return 'date';
  return hasUnit ? 'figure' : 'column';
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
  if (isOptional) return [];
  if (dataset.shape === 'quotes') {
    const symbol = plans.find((plan) => plan.field === 'symbol')?.origin;
    if (field === 'isin' && symbol && symbol.kind !== 'missing')
      return [{ field, origin: symbol, check: 'no column has ISINs: the symbol stands for them' }];
    const isFigure = declared.kind === 'price' || declared.kind === 'amount';
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

/** Days that a spreadsheet counts from 1900, in cells that are not formatted as dates. */
function findSerialColumn(
  field: string,
  columns: readonly ColumnProfile[],
): ColumnProfile | undefined {
  return columns.find(({ name, kind, min = 0, max = 0 }) => {
    const isNamed = isAlias(field, name) || normalizeName(field) === normalizeName(name);
    return kind === 'number' && isNamed && min > 20_000 && max < 80_000;
  });
}

const OTHER_DAY = /issue|list|coupon|settle|call|put|next|prev|record|start|matur|reset/i;

/** The only column of days that are not those of something else. */
function findOnlyDayColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const days = columns.filter(({ kind, name }) => kind === 'day' && !OTHER_DAY.test(name));
  return days.length === 1 ? days[0] : undefined;
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

/** Lists have a column for each key, or a row for each. */
function planList(list: string, { free, sheet, dataset }: PlanContext): FieldPlan[] {
  const words = splitWords(dataset.name);
  const likeness = ({ name }: ColumnProfile) => compareWords(splitWords(name), words);
  const figures = free
    .filter(({ kind }) => kind === 'number' || kind === 'percent')
    .toSorted((a, b) => likeness(b) - likeness(a));
  const texts = free.filter(({ kind, distinct }) => kind === 'text' && distinct > 1);
  const check = '';
  const [text] = texts;
  const [figure] = figures;
  if (text && figure && sheet.dataRows.length > 1)
    return [
      { field: `${list}:key`, origin: { kind: 'column', column: text.name }, check },
      { field: `${list}:value`, origin: planListValue(list, figure, dataset), check },
    ];
  if (figures.length === 0)
    return [{ field: list, origin: { kind: 'missing', requirement: 'a column for each key' } }];
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

/** What a person has to find for a field. */
function planMissing(field: string, { kind, description, requirement, unit }: Field): FieldPlan {
  const text = kind === 'choice' || kind === 'day' ? requirement : description;
  const inUnit = unit === undefined ? '' : `, in ${unit}`;
  return { field, origin: { kind: 'missing', requirement: `${text}${inUnit}` } };
}

/** A name that is not unique in a day, together with the maturity. */
function planSymbol({ free, plans, sheet }: PlanContext): FieldPlan[] {
  const maturity = plans.find(({ field }) => field === 'maturityDate')?.origin;
  const name = free.find(({ kind, distinct }) => kind === 'text' && distinct > 1);
  if (maturity?.kind !== 'column' || !name || sheet.columns.length < 3) return [];
  const template = `{${name.name}} {${maturity.column}}`;
  const check = 'no column has symbols: name and maturity stand for them';
  return [{ field: 'symbol', origin: { kind: 'template', template }, check }];
}
