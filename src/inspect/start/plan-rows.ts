import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Mapping } from '../../publish/mapping/mapping.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { chooseSheets } from './choose-sheets.ts';
import { type FieldPlan, hasListTotal, isUsed } from './field-plan.ts';
import { findCarried, hasRepeatedKeys, hasRepeatedListKeys } from './find-keys.ts';
import { inferOptions, type ValueOptions } from './infer-options.ts';
import {
  askAboutColumns,
  askAboutCoupons,
  askAboutFractions,
  askAboutScale,
  askAboutSums,
  askAboutUnits,
} from './open-questions.ts';
import { getTargets } from './plan-context.ts';
import { planFields } from './plan-fields.ts';

/** How the rows of a table become records. */
export interface RowsPlan {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  /** The sheets with the table; the first is what the plan was made from. */
  readonly sheets: readonly [SheetProfile, ...SheetProfile[]];
  readonly fields: readonly FieldPlan[];
  /** Whether rows with the same key have to be added up. */
  readonly hasSums: boolean;
  readonly options: ValueOptions & Pick<Mapping, 'repeatedKeys'>;
  readonly questions: readonly string[];
  /** Why a mapping does not suffice; empty where it does. */
  readonly reasons: readonly string[];
}

/** Plans a table; undefined where no sheet has a header. */
export function planRows(dataset: Dataset, file: FileProfile): RowsPlan | undefined {
  const sheets = chooseSheets(dataset, file);
  if (!sheets) return undefined;
  const [sheet] = sheets;
  const fields = planAcross(dataset, file, sheet) ?? planFields(dataset, file, sheet);
  const used = sheet.columns.filter(({ name }) => isUsed(name, fields));
  const { options, questions } = inferOptions(used, file, dataset);
  const hasSums = hasRepeatedKeys(dataset, sheet, fields);
  const plan = { dataset, file, sheets, fields, hasSums };
  return {
    ...plan,
    options: {
      ...options,
      ...(usesTemplate(dataset, fields) && { periods: 'sbp' as const }),
      ...(!hasListTotal(fields) &&
        hasRepeatedListKeys(sheet, fields) && { repeatedKeys: 'add' as const }),
    },
    questions: [
      ...askAboutColumns(used, dataset),
      ...questions,
      ...askAboutScale(used, fields),
      ...askAboutFractions(used, fields),
      ...askAboutUnits(sheet, dataset),
      ...askAboutSums(hasSums),
      ...askAboutCoupons(dataset, fields),
    ],
    reasons: findReasons(plan, used),
  };
}

const usesTemplate = ({ period }: Dataset, fields: readonly FieldPlan[]) =>
  fields.some(({ field, origin }) => field === period?.field && origin.kind === 'template');

/** The fields of quotes with days across the columns, which may be prices or yields. */
function planAcross(
  dataset: Dataset,
  file: FileProfile,
  sheet: SheetProfile,
): FieldPlan[] | undefined {
  const days = sheet.timeColumns.filter(({ kind }) => kind === 'day');
  if (dataset.shape !== 'quotes' || days.length < 2) return undefined;
  const columns = sheet.columns.filter(({ index }) => !days.some((day) => day.index === index));
  const fields = planFields(dataset, file, { ...sheet, columns });
  return fields.map((plan): FieldPlan => {
    if (plan.field === 'date') return { field: 'date', origin: { kind: 'across', part: 'name' } };
    if (plan.field !== 'lastPrice') return plan;
    const check = 'the cells below the days may be something else';
    return { field: 'lastPrice', origin: { kind: 'across', part: 'value' }, check };
  });
}

function findReasons(
  {
    file,
    sheets,
    fields,
    hasSums,
    dataset,
  }: Pick<RowsPlan, 'file' | 'sheets' | 'fields' | 'hasSums' | 'dataset'>,
  used: readonly ColumnProfile[],
): string[] {
  const [sheet] = sheets;
  const { totals, sections, notes, headers } = sheet;
  const headerRows = headers[0]?.positions.length ?? 1;
  const kinds = new Set(fields.map(({ origin }) => origin.kind));
  const day = fields.find(({ origin }) => origin.kind === 'day')?.origin;
  // A mapping takes a day in the file's name only as YYYY-MM-DD.
  const isFileDate = day?.kind === 'day' && day.in === 'file' && file.name.includes(day.day);
  const names = used.map(({ name }) => name);
  const needsTargets = getTargets(dataset).lists.size === 0;
  const reasons: readonly (readonly [boolean, string])[] = [
    [sheets.length > 1, `the table is on ${sheets.length} sheets`],
    [headerRows > 1, `${headerRows} rows name the columns`],
    [new Set(names).size < names.length, 'two columns have the same name'],
    [totals.length > 0, 'there are rows with sums'],
    [sheet.end !== undefined, 'another table follows'],
    [findCarried(sheet, fields).length > 0, 'cells hold for the rows below them'],
    [sections.length > 0, 'there are headings between the rows'],
    [notes.length > 0 && file.format !== 'xlsx', 'there are notes below the data'],
    [day !== undefined && !isFileDate, 'the day is in a text'],
    [kinds.has('across'), 'the figures of a row are several records'],
    [kinds.has('figure'), 'figures have a currency'],
    [kinds.has('date'), 'days have a time of day'],
    [kinds.has('percentage'), 'the coupon is in a text'],
    [kinds.has('sheet name'), 'the name of the sheet is a value'],
    [hasListTotal(fields), 'a total is the sum of several rows'],
    [hasSums && needsTargets, 'several rows are one record'],
  ];
  return reasons.flatMap(([applies, reason]) => (applies ? [reason] : []));
}
