import { basename } from 'node:path';
import type { SecurityRecord } from '../../catalogue/datasets/securities.ts';
import { InvalidFileError } from '../../formats/read-contents.ts';
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
import { assertUsualChange } from './change-limits.ts';
import { addDatasetWarnings, readNewestDay } from './dataset-warnings.ts';
import { createDraftValidator, type LocatedRow } from './draft-validator.ts';
import { DuplicateRows } from './duplicate-rows.ts';
import { ProblemCollector } from './file-problems.ts';
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
  const { dataset, replace = false, author } = options;
  const loadedFiles = await Promise.all(options.files.map(fingerprintFile));
  const allFiles = [...loadedFiles, ...(await fingerprintLookupFiles(options))];
  const loading = await prepareLoading(transaction, options);
  const { report, validator } = loading;
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
    rows: streamRows(transaction, options, loading),
    onDuplicateKey: (row) => loading.duplicates.add(row as LocatedRow),
    async finalize(finalCounts) {
      counts = finalCounts;
      for (const file of allFiles) file.assertUnchanged();
      options.adapter?.file.assertUnchanged();
      await assertPublishable(transaction, options, loading, counts);
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

/** What is found while files are read. */
interface Loading {
  readonly report: LoadReportBuilder;
  readonly problems: ProblemCollector;
  readonly duplicates: DuplicateRows;
  readonly validator: Awaited<ReturnType<typeof createDraftValidator>>;
  /** The newest day of published quotes before the load; empty where there were none. */
  readonly previousNewestDay: string;
}

async function prepareLoading(
  transaction: PublishTransaction,
  options: LoadOptions,
): Promise<Loading> {
  const { dataset, mapping } = options;
  const { replace = false, canRelabel = false, allowsFuture = false } = options;
  const { today = new Date().toISOString().slice(0, 10) } = options;
  const { uncomputable, settlementDays } = mapping;
  const problems = new ProblemCollector();
  const report = new LoadReportBuilder(mapping);
  const previousNewestDay = await readNewestDay(transaction, dataset);
  const validator = await createDraftValidator(dataset, transaction, {
    problems,
    report,
    uncomputable,
    settlementDays,
    canRelabel,
    replace,
    allowsFuture,
    today,
  });
  return { report, problems, duplicates: new DuplicateRows(), validator, previousNewestDay };
}

async function* streamRows(
  transaction: PublishTransaction,
  options: LoadOptions,
  { report, validator }: Loading,
): AsyncGenerator<LocatedRow[]> {
  const readOptions: ReadFilesOptions = {
    ...options,
    onSkipped: (file, what) => report.addSkipped(file, what),
    onDetected: (file, encoding) => report.addEncoding(file, encoding),
  };
  for await (const { drafts, context } of readDrafts(transaction, readOptions))
    yield await validator.validate(drafts, context);
}

/** Throws where a problem, a refused warning or a limit of changes rejects the files. */
async function assertPublishable(
  transaction: PublishTransaction,
  options: LoadOptions,
  { report, problems, duplicates, validator, previousNewestDay }: Loading,
  counts: ChangeCounts,
): Promise<void> {
  const { dataset, replace = false, isStrict = false } = options;
  await duplicates.reportProblems(transaction, options, problems, validator.identify);
  if (problems.count > 0)
    throw new LoadValidationError(problems.listed, problems.count, report.build());
  if (replace && report.records === 0)
    throw new InvalidFileError('there are no records, and --replace would retire all there are');
  await addDatasetWarnings(transaction, dataset, report, { ...validator, previousNewestDay });
  const rejection = report.buildRejection(isStrict);
  if (rejection.count > 0) throw new LoadValidationError([], rejection.count, rejection.report);
  const corrected = dataset.shape === 'fund' ? validator.countRestatedFunds() : counts.corrected;
  assertUsualChange(dataset, counts, corrected, options);
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
