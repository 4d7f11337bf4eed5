import { formatNames } from '../../shared/format-names.ts';
import { isSampled, type SheetProfile } from '../inspect-file.ts';
import { type ColumnProfile, labelColumn, shorten } from '../profile-column.ts';
import { type AskedTable, askQuestions } from './ask-questions.ts';
import { findSimilar, getTargets } from './plan-fields.ts';
import { type TriedTable, tryRows } from './try-rows.ts';
import { findValueOptions, type StartOptions } from './value-options.ts';

/** A draft file to complete: a mapping or an adapter. */
export interface Start {
  readonly kind: 'mapping' | 'adapter';
  readonly text: string;
  /** The reasons for an adapter; empty for a mapping. */
  readonly reasons: readonly string[];
  /** Required fields that no column is named after. */
  readonly missing: readonly string[];
  /** Questions that a person must decide. */
  readonly questions: readonly string[];
  /** Parts of the file that are not read, with a reason if there is one. */
  readonly unused: Readonly<Record<'sheets' | 'objects' | 'columns' | 'rows', readonly string[]>>;
  /** Sentences about what a person must check, decide and know. */
  readonly notes: readonly string[];
}

/** The fields of a dataset that a file holds, and how its values are written. */
export interface StartPlan extends AskedTable, Omit<Start, 'kind' | 'text' | 'notes'> {
  readonly options: StartOptions;
}

type PlanDetails = Partial<Omit<StartPlan, 'unused'>> &
  Pick<StartPlan, 'reasons'> & {
    /** The columns with values, if they differ from those of the fields. */
    readonly valueColumns?: readonly ColumnProfile[];
    /** The rows to try, if they differ from those of the sheets. */
    readonly tables?: readonly TriedTable[];
    /** Whether rows are summed, so that blank figures count as nothing. */
    readonly isSummed?: boolean;
    /** Other rows that are used besides the data. */
    readonly usedRows?: 'totals' | 'sections';
    readonly unused?: Partial<Start['unused']>;
  };

/** Adds the options of a table, and the questions that it leaves open. */
export function planStart(table: AskedTable, details: PlanDetails): StartPlan {
  const { dataset, sheets, columns, fields } = table;
  const { valueColumns = fields.flatMap(({ column }) => column ?? []) } = details;
  const value = findValueOptions(valueColumns, dataset);
  const trial = tryRows(table, details.tables ?? sheets, value.options);
  const tried = trial.questions.filter((text) => !details.isSummed || !text.startsWith('blank'));
  const found = [...value.questions, ...tried, ...askQuestions(table)];
  const questions = [...found, ...(details.questions ?? [])];
  // Figures alone do not reveal their unit.
  const hasOpenScale = questions.some((question) => question.startsWith('scale:'));
  const parts = valueColumns.flatMap((column) => column.parts ?? []);
  const rest = columns.filter(
    ({ name, blank }) => (name !== '' || blank < 1) && !parts.includes(name),
  );
  const unused = {
    sheets: [],
    objects: [],
    ...details.unused,
    columns: rest.filter((column) => !valueColumns.includes(column)).map(labelColumn),
    rows: sheets.flatMap((sheet) => listUnusedRows(sheet, details.usedRows)),
  };
  return {
    ...table,
    options: { ...value.options, ...(hasOpenScale && { scale: '?' }), ...details.options },
    reasons: [...details.reasons, ...trial.reasons],
    missing: fields.flatMap(({ field, column }) => (column ? [] : [field])),
    questions,
    unused,
  };
}

/** Titles, sums, headings and notes. */
function listUnusedRows({ name, ...sheet }: SheetProfile, used?: 'totals' | 'sections'): string[] {
  const kinds = (['titles', 'totals', 'sections', 'notes'] as const).filter(
    (kind) => kind !== used,
  );
  return kinds.flatMap((kind) =>
    sheet[kind].map(({ position, text }) => `${name} ${position} (${shorten(text)})`.trim()),
  );
}

function describeOutcome(plan: StartPlan): string[] {
  const { file, dataset, columns, fields, questions, unused } = plan;
  const guesses = fields.flatMap(({ field, column, remark }) =>
    column && remark !== undefined ? [`${field} is ${column.name}`] : [],
  );
  const parts = Object.entries(unused).filter(([, names]) => names.length > 0);
  return [
    ...(isSampled(file) ? ['Judged by some of the rows, not by all.'] : []),
    ...(guesses.length > 0 ? [`To check: ${guesses.join(', ')}.`] : []),
    ...questions.map((question) => `To decide: ${question}.`),
    ...findSimilar(dataset, columns, fields),
    ...parts.map(([kind, names]) => `Not used: ${kind} ${formatNames(names, MAX_LISTED)}.`),
  ];
}

const MAX_LISTED = 30;

/** Sentences for the person who completes a draft. */
export function describePlan(plan: StartPlan): string[] {
  const { file, reasons, fields } = plan;
  const missing = fields.filter(({ column }) => !column);
  const list = missing.map(({ field, remark }) => `${field} (${remark})`).join(', ');
  return [
    `A draft that tenor inspect wrote from ${file.name}.`,
    ...(reasons.length > 0 ? [`A mapping does not suffice: ${reasons.join('; ')}.`] : []),
    ...(missing.length > 0 ? [`Missing: ${list}.`] : []),
    ...describeOutcome(plan),
  ];
}

/** A mapping file that lists every column of the table; those without a field are ignored. */
export function writeMapping(plan: StartPlan, headerRow = 1): Start {
  const { dataset, columns, fields, options, missing } = plan;
  const computed = new Set(fields.flatMap(({ column }) => (column?.parts ? column : [])));
  const parts = new Set(['', ...[...computed].flatMap((column) => column.parts ?? [])]);
  const named = columns.filter((column) => !parts.has(column.name) && !column.parts);
  const findField = (column: ColumnProfile) => fields.find((field) => field.column === column);
  const { lists } = getTargets(dataset);
  const open = missing.flatMap((one) => (lists.has(one) ? [`${one}:key`, `${one}:value`] : one));
  const hasUnnamed = columns.some(({ name, blank }) => name === '' && blank < 1);
  const mapping = {
    dataset: dataset.name,
    about: describePlan(plan).join(' '),
    columns: Object.fromEntries(
      named.map((column) => [column.name, findField(column)?.field ?? null]),
    ),
    ...(hasUnnamed && { otherColumns: 'ignore' }),
    ...(open.length + computed.size > 0 && {
      fields: Object.fromEntries([
        ...[...computed].map((column) => [findField(column)?.field ?? '?', column.name]),
        ...open.map((field) => [field, '?']),
      ]),
    }),
    ...options,
    ...(headerRow > 1 && { headerRow }),
  };
  const text = `${JSON.stringify(mapping, null, 2)}\n`;
  return toStart('mapping', text, plan);
}

export function toStart(kind: Start['kind'], text: string, plan: StartPlan): Start {
  const { reasons, missing, questions, unused } = plan;
  return { kind, text, reasons, missing, questions, unused, notes: describeOutcome(plan) };
}
