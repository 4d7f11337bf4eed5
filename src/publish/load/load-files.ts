import { basename } from 'node:path';
import type { SecurityRecord } from '../../catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { InvalidFileError } from '../../formats/read-contents.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type {
  ChangeCounts,
  Publisher,
  PublishTransaction,
  Revision,
} from '../../store/open-store.ts';
import { withDryRun } from '../dry-run.ts';
import { LoadValidationError } from '../errors.ts';
import { getLookupFile } from '../mapping/external-columns.ts';
import { publishTerms } from '../publish-terms.ts';
import type { DraftRecord } from '../records/draft-record.ts';
import { assertUsualChange } from './change-limits.ts';
import { addDatasetWarnings, readNewestDay } from './dataset-warnings.ts';
import { createDraftValidator, type LocatedRow, toLocation } from './draft-validator.ts';
import { formatLocation, MAX_LISTED_PROBLEMS, ProblemCollector } from './file-problems.ts';
import { type FileFingerprint, fingerprintFile } from './fingerprint-file.ts';
import { type LoadReport, LoadReportBuilder } from './load-report.ts';
import { type ReadFilesOptions, readDrafts, withFileName } from './read-files.ts';
import { buildRevisionOptions, type StoredLoadOptions } from './revision-options.ts';

export interface LoadOptions
  extends Omit<ReadFilesOptions, 'onSkipped' | 'onDetected'>,
    StoredLoadOptions {
  readonly isDryRun?: boolean;
  /** The day that dates may not be after, as YYYY-MM-DD; by default that of the clock in UTC. */
  readonly today?: string;
  readonly author: string;
}

export interface LoadResult {
  /** Undefined where nothing changed, and in a dry run. */
  readonly revision: Revision | undefined;
  /** The revision of securities with the terms in files of quotes; undefined where none changed. */
  readonly termsRevision: Revision | undefined;
  readonly counts: ChangeCounts;
  readonly report: LoadReport;
}

/**
 * Publishes files as one revision; one invalid record rejects all, and all problems are listed. The
 * terms of securities in files of quotes are another revision, in the same transaction.
 */
export async function loadFiles(publisher: Publisher, options: LoadOptions): Promise<LoadResult> {
  const { isDryRun = false } = options;
  const result = await withDryRun(publisher, isDryRun, (transaction) =>
    loadInTransaction(transaction, options),
  );
  return isDryRun ? { ...result, revision: undefined, termsRevision: undefined } : result;
}

async function loadInTransaction(
  transaction: PublishTransaction,
  options: LoadOptions,
): Promise<LoadResult> {
  const {
    dataset,
    files,
    mapping,
    replace = false,
    isStrict = false,
    canRelabel = false,
    allowsFuture = false,
    today = new Date().toISOString().slice(0, 10),
    author,
  } = options;
  const loadedFiles = await Promise.all(files.map(fingerprintFile));
  const allFiles = [...loadedFiles, ...(await fingerprintLookupFiles(options))];
  const problems = new ProblemCollector();
  const duplicates = new DuplicateRows();
  const report = new LoadReportBuilder(mapping);
  const { uncomputable, settlementDays } = mapping;
  const validationContext = {
    problems,
    report,
    uncomputable,
    settlementDays,
    canRelabel,
    replace,
    allowsFuture,
    today,
  };
  const previousNewestDay = await readNewestDay(transaction, dataset);
  const validator = await createDraftValidator(dataset, transaction, validationContext);
  const readOptions: ReadFilesOptions = {
    ...options,
    onSkipped: (file, what) => report.addSkipped(file, what),
    onDetected: (file, encoding) => report.addEncoding(file, encoding),
  };
  async function* streamRows() {
    for await (const { drafts, context } of readDrafts(transaction, readOptions))
      yield await validator.validate(drafts, context);
  }
  let counts: ChangeCounts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };
  let changedSecurities: readonly SecurityRecord[] = [];
  const origin = {
    author,
    source: loadedFiles.map(({ name }) => name).join(', '),
    files: allFiles.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    options: buildRevisionOptions(options, options.adapter?.file),
  };

  const revision = await transaction.publish({
    ...origin,
    dataset,
    replace,
    rows: streamRows(),
    onDuplicateKey: (row) => duplicates.add(row as LocatedRow),
    async finalize(finalCounts) {
      counts = finalCounts;
      for (const file of allFiles) file.assertUnchanged();
      options.adapter?.file.assertUnchanged();
      await duplicates.reportProblems(transaction, options, problems, validator.identify);
      if (problems.count > 0)
        throw new LoadValidationError(problems.listed, problems.count, report.build());
      if (replace && report.records === 0)
        throw new InvalidFileError(
          'there are no records, and --replace would retire all there are',
        );
      await addDatasetWarnings(transaction, dataset, report, { ...validator, previousNewestDay });
      const rejection = report.buildRejection(isStrict);
      if (rejection.count > 0) throw new LoadValidationError([], rejection.count, rejection.report);
      const corrected =
        dataset.shape === 'fund' ? validator.countRestatedFunds() : counts.corrected;
      assertUsualChange(dataset, counts, corrected, options);
      changedSecurities = validator.getChangedSecurities();
      report.terms = changedSecurities.length;
      // Clients can read the stored report, so it must not name the publisher's directories.
      return { report: { ...report.build((file) => basename(file)) } };
    },
  });
  const termsRevision =
    changedSecurities.length === 0
      ? undefined
      : await publishTerms(transaction, {
          ...origin,
          records: changedSecurities,
          quotesRevision: revision?.revision,
        });
  return { revision, termsRevision, counts, report: report.build() };
}

/** Lookup files are part of what is loaded. */
async function fingerprintLookupFiles({ mapping, files }: LoadOptions): Promise<FileFingerprint[]> {
  const { lookup } = mapping;
  if (!lookup) return [];
  const fingerprints = new Map<string, FileFingerprint>();
  for (const file of files) {
    try {
      const lookupFile = getLookupFile(lookup, file);
      if (fingerprints.has(lookupFile.path)) continue;
      fingerprints.set(lookupFile.path, await fingerprintFile(lookupFile));
    } catch (cause) {
      throw withFileName(cause, file);
    }
  }
  return [...fingerprints.values()];
}

/** Rows whose key an earlier row of the same load has. */
class DuplicateRows {
  private readonly rows: LocatedRow[] = [];
  private count = 0;

  add(row: LocatedRow): void {
    this.count++;
    if (this.rows.length < MAX_LISTED_PROBLEMS) this.rows.push(row);
  }

  /** Reads the files again for the first row of each key, since remembering all takes memory. */
  async reportProblems(
    transaction: PublishTransaction,
    options: ReadFilesOptions,
    problems: ProblemCollector,
    identify: (record: DraftRecord['record']) => void,
  ): Promise<void> {
    if (this.count === 0) return;
    const formatKey = createKeyFormatter(options.dataset);
    const keys = new Set(this.rows.map(({ json }) => formatKey(JSON.parse(json))));
    const fields = getKeyFields(options.dataset);
    const formatValue = (record: AnyRecord) => fields.map((field) => record[field]).join(' ');
    const firstRows = new Map<string, { readonly value: string; readonly location: string }>();
    const batches = readDrafts(transaction, { ...options, onRead: undefined });
    for await (const { drafts, context } of batches) {
      for (const { position, record } of drafts) {
        identify(record);
        const key = formatKey(record);
        if (!keys.has(key) || firstRows.has(key)) continue;
        const location = formatLocation(toLocation(context, position));
        firstRows.set(key, { value: formatValue(record), location });
      }
    }
    for (const { json, columns: _, ...location } of this.rows) {
      const record = JSON.parse(json) as AnyRecord;
      const value = formatValue(record);
      const first = firstRows.get(formatKey(record));
      // Two spellings of one key: FY24 and 2024, or a fund in other letters.
      const same = first?.value === value ? 'the same' : `"${first?.value}" in its place`;
      const rule = `given once; ${first?.location} has ${same}`;
      problems.add({ ...location, field: fields.join(', '), value, rule });
    }
    problems.count += this.count - this.rows.length;
  }
}

function createKeyFormatter(dataset: Dataset): (record: AnyRecord) => string {
  const { columns, key } = getStorageTable(dataset);
  const keyColumns = columns.filter(({ name }) => key.some(({ column }) => column === name));
  return (record) => keyColumns.map(({ getValue }) => getValue(record)).join('\0');
}
