import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { LocationUnit } from '../../formats/read-contents.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { serializeRecord } from '../../schema/serialize-record.ts';
import { getColumnValues, getStorageTable } from '../../schema/storage-table.ts';
import { type FieldProblem, validateNewRecord } from '../../schema/validate-record.ts';
import type { EncodedRow, PublishTransaction } from '../../store/open-store.ts';
import { DERIVED_FIELDS } from '../derivation/derive-fields.ts';
import { createFutureDateFinder } from '../quality/future-dates.ts';
import { findRecordWarnings } from '../quality/record-warnings.ts';
import { REFUSAL_RULES } from '../quality/refusal-rules.ts';
import { NO_WARNINGS, type Warning } from '../quality/warning-rules.ts';
import type { DraftRecord } from '../records/draft-record.ts';
import { NO_PROBLEMS, type ProblemCollector, type SourceLocation } from './file-problems.ts';
import { restatesFund } from './fund-restatements.ts';
import type { LoadReportBuilder } from './load-report.ts';
import { LoadedLocations } from './loaded-locations.ts';
import { createLabelCheck } from './period-labels.ts';
import {
  createQuoteValidator,
  type QuoteValidator,
  toUncomputableProblems,
} from './quote-validator.ts';
import { createReferenceCompleter, type ReferenceCompleter } from './reference-records.ts';

export interface LocatedRow extends EncodedRow, SourceLocation {}

/** A file as problems and warnings name it. */
export interface FileContext {
  readonly file: string;
  readonly locationUnit: LocationUnit;
  /** What else is known of a position in the current batch: its line, its sheet and row. */
  readonly locate?: (position: number) => Partial<SourceLocation>;
}

export function toLocation(
  { file, locationUnit, locate }: FileContext,
  position: number,
): SourceLocation {
  const location = { file, place: locationUnit, at: position };
  return locate ? { ...location, ...locate(position) } : location;
}

export interface ValidationContext {
  readonly problems: ProblemCollector;
  readonly report: LoadReportBuilder;
  /** What to take for figures that cannot be computed; they are problems where undefined. */
  readonly uncomputable: 'zero' | undefined;
  /** How many weekdays after its date a quote settles; T+1 where undefined. */
  readonly settlementDays: number | undefined;
  /** Whether records may replace those with a label of another kind. */
  readonly canRelabel: boolean;
  /** Whether the files are the complete dataset. */
  readonly replace: boolean;
  /** Whether records may be dated in the future. */
  readonly allowsFuture: boolean;
  /** The day of the load, as YYYY-MM-DD. */
  readonly today: string;
}

/** Turns valid draft records into rows, and collects the problems of the others. */
export async function createDraftValidator(
  dataset: Dataset,
  transaction: PublishTransaction,
  context: ValidationContext,
) {
  const { problems, report } = context;
  const table = getStorageTable(dataset);
  const isFund = dataset.shape === 'fund';
  const quotes =
    dataset.shape === 'quotes'
      ? await createQuoteValidator(dataset, transaction, context.settlementDays)
      : undefined;
  const references =
    dataset.shape === 'reference'
      ? await createReferenceCompleter(dataset, transaction, context.replace)
      : undefined;
  const completers = { quotes, references };
  const findRefusal = await createRefusalFinder(dataset, transaction, context);
  const locations = new LoadedLocations(dataset);
  let restatedFunds = 0;

  const toRow = (draft: DraftRecord, fileContext: FileContext): LocatedRow | undefined => {
    const { position, record } = draft;
    const found = findProblems(draft, dataset, completers, context);
    if (found.length > 0) {
      for (const { position: rowPosition = position, ...problem } of found)
        problems.add({ ...toLocation(fileContext, rowPosition), ...problem });
      return undefined;
    }
    const refusal = findRefusal(record);
    if (refusal) {
      problems.add({ ...toLocation(fileContext, position), ...refusal });
      return undefined;
    }
    if (locations.needs(record)) locations.add(record, toLocation(fileContext, position));
    const warn = (warning: Warning, rowPosition = position) =>
      report.addWarning(warning, toLocation(fileContext, rowPosition));
    for (const { position: rowPosition, ...warning } of draft.warnings ?? NO_ROW_WARNINGS)
      warn(warning, rowPosition);
    for (const warning of findRecordWarnings(dataset, record)) warn(warning);
    for (const warning of quotes?.findWarnings(record) ?? NO_WARNINGS) warn(warning);
    if (quotes?.isNewIdentity())
      locations.addIsin(String(record.isin), toLocation(fileContext, position));
    const columns = getColumnValues(table, record);
    const json = serializeRecord(dataset, record);
    return { columns, json, ...toLocation(fileContext, position) };
  };

  return {
    /** The securities whose pricing terms in the drafts differ from the stored ones. */
    getChangedSecurities: quotes?.getChangedSecurities ?? (() => []),
    locations,
    isinSymbols: quotes?.isinSymbols,
    /** Completes the key of a draft record that has an alternate one. */
    identify: (record: DraftRecord['record']) => void references?.identify(record),
    /** How many funds change figures of published periods. */
    countRestatedFunds: () => restatedFunds,
    async validate(drafts: readonly DraftRecord[], fileContext: FileContext) {
      await quotes?.loadPreviousQuotes(drafts);
      const rows: LocatedRow[] = [];
      for (const draft of drafts) {
        report.records++;
        const row = toRow(draft, fileContext);
        if (!row) continue;
        rows.push(row);
        if (isFund && (await restatesFund(transaction, dataset, draft.record))) restatedFunds++;
      }
      return rows;
    },
  };
}

/** Finds valid records that only an option allows: labels of another kind, dates in the future. */
async function createRefusalFinder(
  dataset: Dataset,
  transaction: PublishTransaction,
  { canRelabel, allowsFuture, today }: ValidationContext,
): Promise<(record: AnyRecord) => FieldProblem | undefined> {
  const findLabelProblem = canRelabel
    ? () => undefined
    : await createLabelCheck(transaction, dataset);
  const findFutureDate = allowsFuture ? () => undefined : createFutureDateFinder(dataset, today);
  return (record) => {
    const labelProblem = findLabelProblem(record);
    if (labelProblem) return labelProblem;
    const future = findFutureDate(record);
    if (!future) return undefined;
    const { field, value, requirement } = future;
    const rule = `${requirement}; ${REFUSAL_RULES['future-date'].option} publishes it`;
    return { field, value, rule };
  };
}

const NO_ROW_WARNINGS: readonly never[] = [];

/** What completes the draft records of a dataset of quotes or of reference data. */
interface Completers {
  readonly quotes: QuoteValidator | undefined;
  readonly references: ReferenceCompleter | undefined;
}

/** Files have millions of valid records: nothing is allocated for those. */
function findProblems(
  draft: DraftRecord,
  dataset: Dataset,
  { quotes, references }: Completers,
  { report, uncomputable }: ValidationContext,
): DraftRecord['problems'] {
  const { record } = draft;
  if (draft.problems.some(({ field }) => field === '')) return draft.problems;
  const unidentified = references?.complete(record);
  const readProblems = unidentified ? [...draft.problems, unidentified] : draft.problems;
  const derived = quotes?.complete(draft);
  let termProblems = NO_PROBLEMS;
  if (derived) {
    report.countComputed(derived.filled);
    termProblems = derived.problems;
    if (uncomputable === 'zero') {
      for (const { field } of derived.uncomputable) {
        record[field] = 0;
        report.countUncomputable(field);
      }
    } else if (readProblems.length + termProblems.length === 0)
      termProblems = toUncomputableProblems(derived.uncomputable);
  }
  const invalid = validateNewRecord(dataset, record);
  if (readProblems.length + termProblems.length + invalid.length === 0) return NO_PROBLEMS;
  const problems = [...readProblems, ...termProblems];
  // A field that could not be read is not reported again as missing,
  const reported = new Set(readProblems.map(({ field }) => field.split(/[.:]/)[0]));
  if (unidentified) for (const field of getKeyFields(dataset)) reported.add(field);
  // nor is a figure that could not be computed because of another problem.
  if (quotes && problems.length > 0) for (const field of DERIVED_FIELDS) reported.add(field);
  return [...problems, ...invalid.filter(({ field }) => !reported.has(field))];
}
