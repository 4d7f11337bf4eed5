import { basename } from 'node:path';
import { InvalidFileError } from '../../formats/read-contents.ts';
import type {
  ChangeCounts,
  Publisher,
  PublishTransaction,
  Revision,
} from '../../store/open-store.ts';
import { LoadValidationError } from '../errors.ts';
import { getLookupFile } from '../mapping/external-columns.ts';
import { publishTerms } from '../publish-terms.ts';
import { addDatasetWarnings, readNewestDay } from './dataset-warnings.ts';
import { createDraftValidator, type DraftValidator, type LocatedRow } from './draft-validator.ts';
import { DuplicateRows } from './duplicate-rows.ts';
import { ProblemCollector } from './file-problems.ts';
import { type FileFingerprint, fingerprintFile } from './fingerprint-file.ts';
import { type LoadReport, LoadReportBuilder } from './load-report.ts';
import { type ReadFilesOptions, readDrafts, withFileName } from './read-drafts.ts';
import { buildRevisionOptions, type StoredLoadOptions } from './revision-options.ts';
import { findUnusualChange } from './unusual-change.ts';

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
  const result = await publisher.transaction((transaction) =>
    loadInTransaction(transaction, options),
  );
  if (result instanceof Error) throw result;
  return options.isDryRun ? { ...result, revision: undefined, termsRevision: undefined } : result;
}

/** Stages the files, then records them, or abandons them and returns the reason. */
async function loadInTransaction(
  transaction: PublishTransaction,
  options: LoadOptions,
): Promise<LoadResult | Error> {
  const { dataset, replace = false, isDryRun = false } = options;
  const files = await fingerprintSources(options);
  const origin = describeOrigin(options, files);
  const loading = await prepareLoading(transaction, options);
  const { report, validator, duplicates } = loading;
  const staged = await transaction.stage({
    ...origin,
    dataset,
    replace,
    rows: streamRows(transaction, options, loading),
    onDuplicateKey: (row) => duplicates.add(row as LocatedRow),
  });
  const { counts } = staged;
  const rejection =
    findChangedFile(options, files) ?? (await findRejection(transaction, options, loading, counts));
  if (rejection || isDryRun) transaction.abandon();
  if (rejection) return rejection;
  const records = validator.getChangedSecurities();
  report.terms = records.length;
  // Clients can read the stored report, so it must not name the publisher's directories.
  const revision = await staged.record({ ...report.build((file) => basename(file)) });
  const terms = { ...origin, records, quotesRevision: revision?.revision };
  const termsRevision = records.length === 0 ? undefined : await publishTerms(transaction, terms);
  return { revision, termsRevision, counts, report: report.build() };
}

/** The files that are read: those of the load, and the lookup files of its mapping. */
interface LoadedSources {
  readonly loaded: readonly FileFingerprint[];
  readonly all: readonly FileFingerprint[];
}

async function fingerprintSources(options: LoadOptions): Promise<LoadedSources> {
  const loaded = await Promise.all(options.files.map(fingerprintFile));
  return { loaded, all: [...loaded, ...(await fingerprintLookupFiles(options))] };
}

function describeOrigin(options: LoadOptions, { loaded, all }: LoadedSources) {
  return {
    author: options.author,
    source: loaded.map(({ name }) => name).join(', '),
    files: all.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    options: buildRevisionOptions(options, options.adapter?.file),
  };
}

function findChangedFile({ adapter }: LoadOptions, { all }: LoadedSources): Error | undefined {
  for (const file of adapter ? [...all, adapter.file] : all) {
    const change = file.findChange();
    if (change) return change;
  }
  return undefined;
}

/** Findings about files, collected while they are read. */
interface Loading {
  readonly report: LoadReportBuilder;
  readonly problems: ProblemCollector;
  readonly duplicates: DuplicateRows;
  readonly validator: DraftValidator;
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

/** Finds the problem, the refused warning or the limit of changes that rejects the files. */
async function findRejection(
  transaction: PublishTransaction,
  options: LoadOptions,
  { report, problems, duplicates, validator, previousNewestDay }: Loading,
  counts: ChangeCounts,
): Promise<Error | undefined> {
  const { dataset, replace = false, isStrict = false } = options;
  await duplicates.reportProblems(transaction, options, problems, validator);
  if (problems.count > 0)
    return new LoadValidationError(problems.listed, problems.count, report.build());
  if (replace && report.records === 0)
    return new InvalidFileError('there are no records, and --replace would retire all there are');
  await addDatasetWarnings(transaction, dataset, report, {
    locations: validator.locations,
    isinSymbols: validator.isinSymbols,
    previousNewestDay,
  });
  const refused = report.buildRejection(isStrict);
  if (refused.count > 0) return new LoadValidationError([], refused.count, refused.report);
  const corrected = dataset.shape === 'fund' ? validator.restatedFunds : counts.corrected;
  return findUnusualChange(dataset, counts, corrected, options);
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
