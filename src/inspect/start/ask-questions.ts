import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import type { FieldPlan } from './plan-fields.ts';

/** A table, and the fields found in it. */
export interface AskedTable {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  /** Without the sheets of other tables. */
  readonly sheets: readonly SheetProfile[];
  readonly columns: readonly ColumnProfile[];
  readonly fields: readonly FieldPlan[];
}

/** The questions that a table leaves open, besides those about the format of values. */
export const askQuestions = (table: AskedTable): string[] => [
  ...[askAboutDataset, askAboutAcross, askAboutDay, askAboutUnits, askAboutCoupons].flatMap(
    (ask) => ask(table) ?? [],
  ),
  ...table.fields.flatMap(({ field, column, hint }) => {
    if (hint !== undefined) return `${field}: ${hint}`;
    const { name, max = 0 } = column ?? {};
    const isDeclared = table.dataset.declared !== undefined;
    if (!isDeclared && /Price$/.test(field) && max > 400)
      return `scale: prices are per 100 of face value, and ${name} has up to ${max}`;
    // Skips fractions and amounts.
    const isPercent = !isDeclared && /^(?:ytm|couponRate|value)$/.test(field);
    const { unit = isPercent ? 'percent' : '' } = table.dataset.fields[field] ?? {};
    const isLarge = /[mb]illion/.test(unit) && max >= 1e6;
    return isLarge || (isPercent && ((max > 0 && max <= 1) || max > 1_000))
      ? `scale: ${field} is in ${unit}, and ${name} has up to ${max}`
      : [];
  }),
];

const askAboutDataset = ({ dataset, fields }: AskedTable) =>
  fields.some(({ column }) => column)
    ? undefined
    : `dataset: no column has the name of a field of ${dataset.name}; is it the right one`;

/** Days across the columns, so that a row holds several records. */
function askAboutAcross({ sheets }: AskedTable): string | undefined {
  const columnsOfTime = sheets[0]?.timeColumns ?? [];
  const days = columnsOfTime.filter(({ kind }) => kind === 'day').map(({ label }) => label);
  return days.length > 1
    ? `columns: ${days.join(', ')} may be one record each, which unpivot in an adapter makes`
    : undefined;
}

/** A day in a text, if no column has one. */
function askAboutDay({ file, sheets, fields }: AskedTable): string | undefined {
  const isOpen = fields.some(({ field, column }) => field === 'date' && !column);
  const [sheet] = sheets;
  const places = [
    ...(file.day ? [`the name of the file has ${file.day}`] : []),
    ...(sheet?.day ? [`the name of the sheet has ${sheet.day}`] : []),
    ...(sheet?.days.map(({ day, position }) => `row ${position} has ${day}`) ?? []),
  ];
  if (!isOpen || places.length === 0) return undefined;
  return `date: ${places.join(', ')}; findDate in an adapter reads it`;
}

/** A unit in a word; MN-Minneapolis has none. */
const UNIT =
  /\b(?:thousands?|lakhs?|lacs?|crores?|millions?|billions?|trillions?|mn(?!-)|bn(?!-))\b|'000|\(000s?\)/i;

/** The first unit in a text, with three words before it and one after. */
function findUnit(text: string) {
  const words = text.split(' ');
  const at = words.findIndex((word) => UNIT.test(word));
  const [unit = ''] = UNIT.exec(words[at] ?? '') ?? [];
  return at < 0 ? undefined : { unit, found: words.slice(Math.max(0, at - 3), at + 2).join(' ') };
}

/** A unit that the file names, if it is not that of a series. */
function askAboutUnits({ sheets, fields, dataset }: AskedTable): string | undefined {
  const titles = sheets[0]?.titles.map(({ text }) => text) ?? [];
  const names = fields.flatMap(({ column }) => column?.name ?? []);
  // BN and MN alone are codes of countries.
  const texts = [...titles, ...names.filter((name) => name.length > 2)];
  const { found, unit = '' } = texts.map(findUnit).find((one) => one) ?? {};
  const allUnits = Object.values(dataset.fields).flatMap(({ unit }) => unit ?? []);
  const units = [...new Set(allUnits)].join(', ');
  const isSame = units.includes(unit.toLowerCase().replace(/s$/, ''));
  const isUnknown = ['', '?'].includes(units);
  if (dataset.shape === 'fund' || found === undefined || isUnknown || isSame) return undefined;
  return `scale: the file says ${JSON.stringify(found.trim())}, and the dataset is in ${units}`;
}

/** Durations, and yields that are not given, are computed from prices and coupons. */
function askAboutCoupons({ dataset, columns, fields }: AskedTable): string | undefined {
  const has = (name: string) => fields.some(({ field }) => field === name);
  if (dataset.shape !== 'quotes' || has('couponRate') || (has('ytm') && has('duration')))
    return undefined;
  const [name] = columns.flatMap(({ percentInText }) => percentInText ?? []);
  if (name !== undefined)
    return `couponRate: findPercentage in an adapter takes it out of ${JSON.stringify(name)}`;
  return 'couponRate: no column has coupons; give it, or pricing, or "uncomputable": "zero", unless all are bills or their terms are loaded';
}
