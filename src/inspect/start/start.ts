import type { ColumnProfile } from '../profile-column.ts';
import { type AskedTable, askQuestions } from './ask-questions.ts';
import { findValueOptions, type StartOptions } from './value-options.ts';

/** A file to begin with: a mapping, or an adapter. */
export interface Start {
  readonly kind: 'mapping' | 'adapter';
  readonly text: string;
  /** The reasons for an adapter; empty for a mapping. */
  readonly reasons: readonly string[];
  /** Required fields that no column is named after. */
  readonly missing: readonly string[];
  /** Questions that a person has to decide. */
  readonly questions: readonly string[];
}

/** The fields of a dataset that a file holds, and how its values are written. */
export interface StartPlan extends AskedTable, Omit<Start, 'kind' | 'text'> {
  readonly options: StartOptions;
  /** Facts about the file. */
  readonly remarks: readonly string[];
}

type PlanDetails = Partial<StartPlan> &
  Pick<StartPlan, 'reasons'> & {
    /** The columns with values, if not those of the fields. */
    readonly valueColumns?: readonly ColumnProfile[];
  };

/** Adds the options of a table, and the questions that it leaves open. */
export function planStart(table: AskedTable, details: PlanDetails): StartPlan {
  const { dataset, file, sheets, columns, fields } = table;
  const { valueColumns = fields.flatMap(({ column }) => column ?? []) } = details;
  const value = findValueOptions(valueColumns, dataset);
  const questions = [...value.questions, ...askQuestions(table), ...(details.questions ?? [])];
  // Figures alone do not tell their unit.
  const hasOpenScale = questions.some((question) => question.startsWith('scale:'));
  const unused = [
    ...columns.filter((column) => column.name !== '' && !valueColumns.includes(column)),
    ...file.sheets.filter((sheet) => !sheets.includes(sheet)),
  ];
  return {
    ...table,
    options: { ...value.options, ...(hasOpenScale && { scale: '?' }), ...details.options },
    reasons: details.reasons,
    missing: fields.flatMap(({ field, column }) => (column ? [] : [field])),
    questions,
    remarks: [
      ...(details.remarks ?? []),
      ...(unused.length > 0 ? [`Not used: ${unused.map(({ name }) => name).join(', ')}.`] : []),
    ],
  };
}

/** Sentences for the person who goes on with a start. */
export function describePlan(plan: StartPlan): string[] {
  const { file, reasons, fields, questions, remarks } = plan;
  const missing = fields.filter(({ column }) => !column);
  const guesses = fields.filter(({ column, remark }) => column && remark !== undefined);
  const list = (plans: typeof fields) =>
    plans.map(({ field, remark }) => `${field} (${remark})`).join(', ');
  return [
    `A start that tenor inspect wrote from ${file.name}.`,
    ...(reasons.length > 0 ? [`A mapping does not suffice: ${reasons.join('; ')}.`] : []),
    ...(missing.length > 0 ? [`Missing: ${list(missing)}.`] : []),
    ...(guesses.length > 0 ? [`To check: ${guesses.map(({ field }) => field).join(', ')}.`] : []),
    ...questions.map((question) => `To decide: ${question}.`),
    ...remarks,
  ];
}

/** A mapping file with every column of the table in it: those that hold no field are left out. */
export function writeMapping(plan: StartPlan, headerRow = 1): Start {
  const { dataset, columns, fields, options, reasons, missing, questions } = plan;
  const named = columns.filter(({ name }) => name !== '');
  const findField = (column: ColumnProfile) => fields.find((field) => field.column === column);
  const hasUnnamed = columns.some(({ name, blank }) => name === '' && blank < 1);
  const mapping = {
    dataset: dataset.name,
    about: describePlan(plan).join(' '),
    columns: Object.fromEntries(
      named.map((column) => [column.name, findField(column)?.field ?? null]),
    ),
    ...(hasUnnamed && { otherColumns: 'ignore' }),
    ...(missing.length > 0 && { fields: Object.fromEntries(missing.map((field) => [field, '?'])) }),
    ...options,
    ...(headerRow > 1 && { headerRow }),
  };
  const text = `${JSON.stringify(mapping, null, 2)}\n`;
  return { kind: 'mapping', text, reasons, missing, questions };
}
