import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { LocationUnit } from '../../formats/read-contents.ts';
import { getColumnValues, getStorageTable } from '../../schema/storage-table.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { serializeRecord, validateRecord } from '../../schema/validate-record.ts';
import type { EncodedRow, PublishTransaction, SecurityTerms } from '../../store/open-store.ts';
import { DERIVED_FIELDS } from '../derivation/derive-fields.ts';
import type { Warning } from '../quality/index.ts';
import { findRecordWarnings } from '../quality/index.ts';
import type { DraftRecord } from '../records/draft-record.ts';
import type { ProblemCollector, SourceLocation } from './file-problems.ts';
import type { LoadReportBuilder } from './load-report.ts';
import { createQuoteValidator, toUncomputableProblems } from './quote-validator.ts';

/** A row with where it came from. */
export interface LocatedRow extends EncodedRow, SourceLocation {}

/** A file as problems and warnings name it. */
export interface FileContext {
  readonly file: string;
  readonly place: LocationUnit;
  /** The line of one of the records that are at work, where places are records. */
  readonly lineOf?: (at: number) => number | undefined;
}

/** A place in that file. */
export function locateIn({ file, place, lineOf }: FileContext, at: number): SourceLocation {
  const line = lineOf?.(at);
  return line === undefined ? { file, place, at } : { file, place, at, line };
}

/** Looks at drafts and lets those pass, as rows, that the catalogue takes. */
export interface DraftValidator {
  examine(drafts: readonly DraftRecord[], where: FileContext): Promise<LocatedRow[]>;
  /** The terms that the drafts brought, for later loads. */
  terms(): ReadonlyMap<string, SecurityTerms>;
}

/** Where an examiner tells what it finds. */
export interface ValidationContext {
  readonly problems: ProblemCollector;
  readonly reporting: LoadReportBuilder;
  /** What stands for figures that cannot be computed; they are refused where absent. */
  readonly uncomputable: 'zero' | undefined;
}

/** An examiner for one dataset, while the store is held. */
export async function createDraftValidator(
  dataset: Dataset,
  within: PublishTransaction,
  { problems, reporting, uncomputable }: ValidationContext,
): Promise<DraftValidator> {
  const table = getStorageTable(dataset);
  const quotes =
    dataset.shape === 'quotes' ? await createQuoteValidator(dataset, within) : undefined;

  // Files have millions of records with nothing wrong: nothing is made for those but their rows.
  const problemsIn = (draft: DraftRecord): DraftRecord['problems'] => {
    const { record, problems: given } = draft;
    if (given.some(({ field }) => field === '')) return given;
    const derived = quotes?.complete(draft);
    let own = NO_PROBLEMS;
    if (derived) {
      reporting.compute(derived.filled);
      own = derived.problems;
      if (uncomputable === 'zero') {
        for (const { field } of derived.lacking) record[field] = 0;
        reporting.giveUp(derived.lacking.map(({ field }) => field));
      } else if (given.length + own.length === 0) own = toUncomputableProblems(derived.lacking);
    }
    const wrong = validateRecord(dataset, record);
    if (given.length + own.length + wrong.length === 0) return NO_PROBLEMS;
    const found = [...given, ...own];
    // What is named already is not named again for want of a value.
    const named = new Set(given.map(({ field }) => field.split(/[.:]/)[0]));
    // Nor is a figure that is wanting because of what is named.
    if (quotes && found.length > 0) for (const field of DERIVED_FIELDS) named.add(field);
    return [...found, ...wrong.filter(({ field }) => !named.has(field))];
  };

  const pass = (draft: DraftRecord, where: FileContext): LocatedRow | undefined => {
    const { at, record } = draft;
    const found = problemsIn(draft);
    if (found.length > 0) {
      for (const { at: own = at, ...problem } of found) {
        problems.add({ ...locateIn(where, own), ...problem });
      }
      return undefined;
    }
    const warn = (warning: Warning, place = at) => reporting.warn(warning, locateIn(where, place));
    for (const { at: place, ...warning } of draft.warnings ?? NO_WARNINGS) warn(warning, place);
    for (const warning of findRecordWarnings(dataset, record)) warn(warning);
    for (const warning of quotes?.look(record) ?? NO_WARNINGS) warn(warning);
    const { file, place, lineOf } = where;
    const row = {
      columns: getColumnValues(table, record),
      text: serializeRecord(dataset, record),
      at,
      file,
      place,
    };
    const line = lineOf?.(at);
    return line === undefined ? row : { ...row, line };
  };

  return {
    terms: quotes?.brought ?? (() => new Map()),
    async examine(drafts, where) {
      await quotes?.prepare(drafts);
      const rows: LocatedRow[] = [];
      for (const draft of drafts) {
        reporting.records++;
        const row = pass(draft, where);
        if (row) rows.push(row);
      }
      return rows;
    },
  };
}

const NO_PROBLEMS: readonly FieldProblem[] = [];
const NO_WARNINGS: readonly never[] = [];
