import { getStoredForm } from '../../catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { NORMAL_STATUS } from '../../catalogue/model/observation-status.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { serializeRecord } from '../../schema/serialize-record.ts';
import { getColumnValues, getStorageTable } from '../../schema/storage-table.ts';
import { type FieldProblem, validateNewRecord } from '../../schema/validate-record.ts';
import { copyText } from '../../shared/copy-text.ts';
import type { EncodedRow, PublishTransaction, RecordKey } from '../../store/open-store.ts';
import { DERIVED_FIELDS } from '../derivation/derive-fields.ts';
import { findRecordWarnings } from '../quality/record-warnings.ts';
import { createFutureDateFinder, REFUSAL_RULES } from '../quality/refusal-rules.ts';
import { NO_WARNINGS, type Warning } from '../quality/warning-rules.ts';
import type { CurrentFund, DraftRecord } from '../records/draft-record.ts';
import { LoadedLocations } from './dataset-warnings.ts';
import {
  type FileContext,
  NO_PROBLEMS,
  type ProblemCollector,
  type SourceLocation,
  toLocation,
} from './file-problems.ts';
import type { LoadReportBuilder } from './load-report.ts';
import { mergeDrafts } from './merge-drafts.ts';
import { createLabelCheck, type PublishedSeries, readPublishedSeries } from './published-labels.ts';
import {
  createQuoteValidator,
  type QuoteValidator,
  toUncomputableProblems,
} from './quote-validator.ts';
import { readCurrentFund } from './read-drafts.ts';
import { createReferenceCompleter, type ReferenceCompleter } from './reference-records.ts';
import type { StoredLoadOptions } from './revision-options.ts';

export interface LocatedRow extends EncodedRow, SourceLocation {}

export interface ValidationContext
  extends Pick<StoredLoadOptions, 'mapping' | 'replace' | 'canRelabel' | 'allowsFuture'> {
  readonly problems: ProblemCollector;
  readonly report: LoadReportBuilder;
  /** The day of the load, as YYYY-MM-DD. */
  readonly today: string;
}

/** Creates a validator that knows the published data of a dataset. */
export async function createDraftValidator(
  dataset: Dataset,
  transaction: PublishTransaction,
  context: ValidationContext,
): Promise<DraftValidator> {
  const { mapping, replace = false } = context;
  const completers = {
    quotes:
      dataset.shape === 'quotes'
        ? await createQuoteValidator(dataset, transaction, mapping.settlementDays)
        : undefined,
    references:
      dataset.shape === 'reference'
        ? await createReferenceCompleter(dataset, transaction, replace)
        : undefined,
  };
  const published = await readPublishedSeries(transaction, dataset);
  const findRefusal = createRefusalFinder(dataset, published.records, context);
  return new DraftValidator(dataset, transaction, context, completers, published, findRefusal);
}

/** Turns valid draft records into rows, and collects the problems of invalid ones. */
export class DraftValidator {
  readonly locations: LoadedLocations;
  readonly #nullableFields: readonly string[];
  readonly #missingFields = new Set<string>();
  /** The keys of records that drafts leave without figures. */
  readonly retiredKeys: RecordKey[] = [];
  /** The number of funds that change figures of periods before their newest published one. */
  restatedFunds = 0;

  constructor(
    private readonly dataset: Dataset,
    private readonly transaction: PublishTransaction,
    readonly context: ValidationContext,
    readonly completers: Completers,
    readonly published: PublishedSeries,
    private readonly findRefusal: RefusalFinder,
  ) {
    this.locations = new LoadedLocations(dataset);
    const { fields } = dataset;
    this.#nullableFields = Object.keys(fields).filter((name) => fields[name]?.isNullable);
  }

  async validate(drafts: readonly DraftRecord[], fileContext: FileContext): Promise<LocatedRow[]> {
    await this.completers.quotes?.loadPreviousQuotes(drafts);
    const rows: LocatedRow[] = [];
    const { report, replace = false } = this.context;
    if (drafts.length > 0) report.loadedFiles.add(fileContext.file);
    const { merged, retired } = await mergeDrafts(this.transaction, this.dataset, drafts, replace);
    for (const key of retired) this.retiredKeys.push(key);
    for (const draft of merged) {
      report.records++;
      const row = this.#toRow(draft, fileContext);
      if (!row) continue;
      rows.push(row);
      const isFund = this.dataset.shape === 'fund';
      if (isFund && (await this.#restatesFund(draft.record))) this.restatedFunds++;
    }
    return rows;
  }

  #toRow(draft: DraftRecord, fileContext: FileContext): LocatedRow | undefined {
    const { dataset, context } = this;
    const { position, record, status } = draft;
    if (dataset.declared) this.#completeDeclared(draft, fileContext);
    let problems = this.#findProblems(draft);
    const refusal = problems.length === 0 ? this.findRefusal(record) : undefined;
    if (refusal) problems = [refusal];
    if (problems.length > 0) {
      for (const { position: rowPosition = position, ...problem } of problems)
        context.problems.add({ ...toLocation(fileContext, rowPosition), ...problem });
      return undefined;
    }
    const columns = getColumnValues(getStorageTable(dataset), record, status);
    this.locations.count(columns[0] ?? '');
    if (dataset.declared) this.locations.addValues(record, () => toLocation(fileContext, position));
    if (this.locations.needs(record)) this.locations.add(record, toLocation(fileContext, position));
    this.#warn(draft, fileContext);
    if (status) context.report.count('statuses', [status]);
    const json = serializeRecord(getStoredForm(dataset, record), record);
    return { columns, json, ...toLocation(fileContext, position) };
  }

  /** Fields that a file omits from a declared dataset are null; marks give the status. */
  #completeDeclared(
    { record, status = NORMAL_STATUS, position }: DraftRecord,
    context: FileContext,
  ): void {
    const values = record as Record<string, unknown>;
    for (const name of this.#nullableFields) {
      if (!Object.hasOwn(values, name) && this.published.periods.length > 0)
        this.#warnOfMissing(name, toLocation(context, position));
      values[name] ??= null;
    }
    if (this.dataset.fields.status) values.status = status;
  }

  /** Warns once per file, because previously published figures are lost. */
  #warnOfMissing(field: string, location: SourceLocation): void {
    const key = `${location.file} ${field}`;
    if (this.#missingFields.has(key)) return;
    this.#missingFields.add(key);
    const text = `${location.file} has no column ${field}: its records have null there`;
    const warning = { rule: 'measure-missing', field, value: null, text } as const;
    this.context.report.addWarning(warning, location);
  }

  #warn({ position, record, warnings = NO_ROW_WARNINGS }: DraftRecord, context: FileContext): void {
    const { quotes, references } = this.completers;
    const warn = (warning: Warning, rowPosition = position) =>
      this.context.report.addWarning(warning, toLocation(context, rowPosition));
    for (const { position: rowPosition, ...warning } of warnings) warn(warning, rowPosition);
    for (const warning of findRecordWarnings(this.dataset, record)) warn(warning);
    for (const warning of quotes?.findWarnings(record) ?? NO_WARNINGS) warn(warning);
    for (const warning of references?.findWarnings(record) ?? NO_WARNINGS) warn(warning);
    if (quotes?.warnings.isNewIdentity)
      this.locations.isins.set(copyText(String(record.isin)), toLocation(context, position));
  }

  /** Files have millions of valid records, so nothing is allocated for them. */
  #findProblems(draft: DraftRecord): DraftRecord['problems'] {
    const { dataset, context } = this;
    const { report, mapping } = context;
    const { quotes, references } = this.completers;
    const { record } = draft;
    if (draft.problems.some(({ field }) => field === '')) return draft.problems;
    const unidentified = references?.complete(record);
    const readProblems = unidentified ? [...draft.problems, unidentified] : draft.problems;
    const derived = quotes?.complete(draft);
    let termProblems = NO_PROBLEMS;
    if (derived) {
      report.count('computed', derived.filled);
      termProblems = derived.problems;
      if (mapping.uncomputable === 'zero') {
        for (const { field } of derived.uncomputable) {
          record[field] = 0;
          report.count('uncomputable', [field]);
        }
      } else if (readProblems.length + termProblems.length === 0)
        termProblems = toUncomputableProblems(derived.uncomputable);
    }
    const invalid = validateNewRecord(dataset, record);
    if (readProblems.length + termProblems.length + invalid.length === 0) return NO_PROBLEMS;
    const problems = [...readProblems, ...termProblems];
    // A field that could not be read is not also reported as missing,
    const reported = new Set(readProblems.map(({ field }) => field.split(/[.:]/)[0]));
    if (unidentified) for (const field of getKeyFields(dataset)) reported.add(field);
    // nor is a figure that could not be computed because of another problem.
    if (quotes && problems.length > 0) for (const field of DERIVED_FIELDS) reported.add(field);
    return [...problems, ...invalid.filter(({ field }) => !reported.has(field))];
  }

  /** Whether a fund changes figures of published periods before the newest of them. */
  async #restatesFund(record: AnyRecord): Promise<boolean> {
    const { fund_id: id, periods, rows } = record as AnyRecord & CurrentFund;
    const published = await readCurrentFund(this.transaction, this.dataset, String(id));
    if (!published) return false;
    const newIndexes = new Map(periods.map(({ date }, index) => [date, index]));
    const newValues = new Map(rows.map(({ label, values }) => [label, values]));
    return published.periods.some(({ date }, index) => {
      const newIndex = newIndexes.get(date);
      const isNewest = published.periods.every((other) => other.date <= date);
      if (isNewest || newIndex === undefined) return false;
      return published.rows.some(
        ({ label, values }) => values[index] !== (newValues.get(label)?.[newIndex] ?? 0),
      );
    });
  }
}

type RefusalFinder = (record: AnyRecord) => FieldProblem | undefined;

/** Finds valid records that need an option: labels of another kind, dates in the future. */
function createRefusalFinder(
  dataset: Dataset,
  published: readonly AnyRecord[],
  { canRelabel = false, allowsFuture = false, today }: ValidationContext,
): RefusalFinder {
  const findLabelProblem = canRelabel ? undefined : createLabelCheck(dataset, published);
  const findFutureDate = allowsFuture ? undefined : createFutureDateFinder(dataset, today);
  return (record) => {
    const labelProblem = findLabelProblem?.(record);
    if (labelProblem) return { ...labelProblem, guard: 'relabels-years' };
    const future = findFutureDate?.(record);
    const hint = `; ${REFUSAL_RULES['future-date'].option} publishes it`;
    return future && { ...future, rule: future.rule + hint, guard: 'future-date' };
  };
}

const NO_ROW_WARNINGS: readonly never[] = [];

/** Completers for the draft records of quotes or reference data. */
interface Completers {
  readonly quotes: QuoteValidator | undefined;
  readonly references: ReferenceCompleter | undefined;
}
