import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { LocationUnit } from '../../formats/read-contents.ts';
import { serializeRecord } from '../../schema/serialize-record.ts';
import { getColumnValues, getStorageTable } from '../../schema/storage-table.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { validateRecord } from '../../schema/validate-record.ts';
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
  readonly locationUnit: LocationUnit;
  /** The line of one of the records that are at work, where places are records. */
  readonly lineOf?: (at: number) => number | undefined;
}

/** A place in that file. */
export function locateIn({ file, locationUnit, lineOf }: FileContext, at: number): SourceLocation {
  const line = lineOf?.(at);
  return line === undefined
    ? { file, place: locationUnit, at }
    : { file, place: locationUnit, at, line };
}

/** Looks at drafts and lets those pass, as rows, that the catalogue takes. */
export interface DraftValidator {
  validate(drafts: readonly DraftRecord[], fileContext: FileContext): Promise<LocatedRow[]>;
  /** The terms that the drafts brought, for later loads. */
  getChangedTerms(): ReadonlyMap<string, SecurityTerms>;
}

/** Where an examiner tells what it finds. */
export interface ValidationContext {
  readonly problems: ProblemCollector;
  readonly report: LoadReportBuilder;
  /** What stands for figures that cannot be computed; they are refused where absent. */
  readonly uncomputable: 'zero' | undefined;
}

/** An examiner for one dataset, while the store is held. */
export async function createDraftValidator(
  dataset: Dataset,
  transaction: PublishTransaction,
  { problems, report, uncomputable }: ValidationContext,
): Promise<DraftValidator> {
  const table = getStorageTable(dataset);
  const quotes =
    dataset.shape === 'quotes' ? await createQuoteValidator(dataset, transaction) : undefined;

  // Files have millions of records with nothing wrong: nothing is made for those but their rows.
  const problemsIn = (draft: DraftRecord): DraftRecord['problems'] => {
    const { record, problems: given } = draft;
    if (given.some(({ field }) => field === '')) return given;
    const derived = quotes?.complete(draft);
    let own = NO_PROBLEMS;
    if (derived) {
      report.countComputed(derived.filled);
      own = derived.problems;
      if (uncomputable === 'zero') {
        for (const { field } of derived.lacking) record[field] = 0;
        report.countUncomputable(derived.lacking.map(({ field }) => field));
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

  const pass = (draft: DraftRecord, fileContext: FileContext): LocatedRow | undefined => {
    const { position, record } = draft;
    const found = problemsIn(draft);
    if (found.length > 0) {
      for (const { at: own = position, ...problem } of found) {
        problems.add({ ...locateIn(fileContext, own), ...problem });
      }
      return undefined;
    }
    const warn = (warning: Warning, place = position) =>
      report.addWarning(warning, locateIn(fileContext, place));
    for (const { at: place, ...warning } of draft.warnings ?? NO_WARNINGS) warn(warning, place);
    for (const warning of findRecordWarnings(dataset, record)) warn(warning);
    for (const warning of quotes?.look(record) ?? NO_WARNINGS) warn(warning);
    const { file, locationUnit, lineOf } = fileContext;
    const row = {
      columns: getColumnValues(table, record),
      json: serializeRecord(dataset, record),
      at: position,
      file,
      place: locationUnit,
    };
    const line = lineOf?.(position);
    return line === undefined ? row : { ...row, line };
  };

  return {
    getChangedTerms: quotes?.brought ?? (() => new Map()),
    async validate(drafts, where) {
      await quotes?.prepare(drafts);
      const rows: LocatedRow[] = [];
      for (const draft of drafts) {
        report.records++;
        const row = pass(draft, where);
        if (row) rows.push(row);
      }
      return rows;
    },
  };
}

const NO_PROBLEMS: readonly FieldProblem[] = [];
const NO_WARNINGS: readonly never[] = [];
