import { basename } from 'node:path';
import { securities } from '../../catalogue/datasets/securities.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { InvalidFileError } from '../../formats/read-contents.ts';
import type {
  ChangeCounts,
  Publisher,
  PublishTransaction,
  Revision,
  StagedChange,
} from '../../store/open-store.ts';
import { GuardError, LoadValidationError } from '../errors.ts';
import { type LeadTime, startLeadTime } from '../lead-time.ts';
import { getLookupFile } from '../mapping/external-columns.ts';
import { publishRecords } from '../publish-records.ts';
import { findPeriodCorrections } from '../quality/corrected-periods.ts';
import { findManyRetired, limitMissingSeries, REFUSAL_RULES } from '../quality/refusal-rules.ts';
import { DatasetWarnings } from './dataset-warnings.ts';
import { createDraftValidator, type DraftValidator, type LocatedRow } from './draft-validator.ts';
import { DuplicateRows } from './duplicate-rows.ts';
import { ProblemCollector } from './file-problems.ts';
import { type FileFingerprint, fingerprintFile } from './fingerprint-file.ts';
import { limitCorrections } from './limit-corrections.ts';
import { type LoadReport, LoadReportBuilder } from './load-report.ts';
import { type ReadFilesOptions, readDrafts, withFileName } from './read-drafts.ts';
import { buildRevisionOptions, type StoredLoadOptions } from './revision-options.ts';

export interface LoadOptions
  extends Omit<ReadFilesOptions, 'onSkipped' | 'onDetected' | 'onQuarterByMonths' | 'onOtherRows'>,
    StoredLoadOptions {
  readonly isDryRun?: boolean;
  /** The latest allowed date, as YYYY-MM-DD; by default the day of publication in UTC. */
  readonly today?: string;
  readonly author: string;
  /** The result of a dry run of the same files, which are rejected if they have changed since. */
  readonly checked?: LoadResult | undefined;
}

export interface LoadResult {
  /** Undefined if nothing changed, and in a dry run. */
  readonly revision: Revision | undefined;
  /** The revision of securities with the terms in files of quotes; undefined if no terms changed. */
  readonly termsRevision: Revision | undefined;
  readonly counts: ChangeCounts;
  readonly report: LoadReport;
  readonly files: readonly FileFingerprint[];
  /** When the load of this dry run must begin; undefined unless it has an instant. */
  readonly lead: LeadTime | undefined;
}

/**
 * Publishes files as one revision. One invalid record rejects all of them, and all problems are listed. The
 * terms of securities in files of quotes form another revision in the same transaction.
 */
export async function loadFiles(
  publisher: Pick<Publisher, 'transaction'>,
  options: LoadOptions,
): Promise<LoadResult> {
  const files = await fingerprintFiles(options);
  if (options.checked) assertSameFiles(options.checked, files);
  else await stageRecords(options);
  const { isDryRun } = options;
  const result = await publisher.transaction(
    (transaction) => loadInTransaction(transaction, options, files),
    { isDryRun },
  );
  if (result instanceof Error) throw result;
  return isDryRun ? { ...result, revision: undefined, termsRevision: undefined } : result;
}

function assertSameFiles(checked: LoadResult, files: readonly FileFingerprint[]): void {
  const changed = files.find(({ sha256 }, index) => sha256 !== checked.files[index]?.sha256);
  if (changed) throw new InvalidFileError(`${changed.name} has changed since it was checked`);
}

/** Runs the adapter before the write lock is acquired, so that others can publish while it works or hangs. */
async function stageRecords({ adapter, files, mapping, onRead }: LoadOptions): Promise<void> {
  for (const file of adapter ? files : []) {
    try {
      await adapter?.stage(file, mapping, onRead);
    } catch (cause) {
      throw withFileName(cause, file);
    }
  }
  adapter?.end();
}

/** Stages the files, then publishes them, or abandons them and returns the reason. */
async function loadInTransaction(
  transaction: PublishTransaction,
  options: LoadOptions,
  files: readonly FileFingerprint[],
): Promise<LoadResult | Error> {
  const endLeadTime = startLeadTime();
  const { dataset, mapping, author, adapter, at } = options;
  const {
    replace = false,
    isDryRun = false,
    today = (at ?? new Date()).toISOString().slice(0, 10),
  } = options;
  const origin = {
    author,
    source: options.files.map(({ name }) => basename(name)).join(', '),
    files: files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    options: buildRevisionOptions(options, adapter?.file),
    notBefore: at,
    isDryRun,
  };
  const report = new LoadReportBuilder(mapping);
  const context = { ...options, problems: new ProblemCollector(), report, today };
  const validator = await createDraftValidator(dataset, transaction, context);
  const duplicates = new DuplicateRows();
  const staged = await transaction.stage({
    ...origin,
    dataset,
    replace,
    rows: streamRows(transaction, options, validator),
    // Read after the rows.
    retiredKeys: { [Symbol.iterator]: () => validator.retiredKeys.values() },
    onDuplicateKey: (row) => duplicates.add(row as LocatedRow),
  });
  const { counts } = staged;
  // Records that an adapter has yielded are not read again.
  const readFiles = adapter && !options.checked ? [...files, adapter.file] : files;
  const rejection =
    readFiles.map((file) => file.findChange()).find((change) => change) ??
    (await findRejection(transaction, options, validator, duplicates, staged));
  if (rejection) {
    transaction.abandon();
    return rejection;
  }
  const records = validator.completers.quotes?.terms.getChangedSecurities() ?? [];
  report.terms = records.length;
  // Clients can read the stored report, so it must not reveal the publisher's directories.
  const revision = await staged.record({ ...report.build((file) => basename(file)) });
  // Reverting the quotes reverts the terms that came with them.
  const termsReport = revision ? { quotesRevision: revision.revision } : {};
  const terms = { ...origin, dataset: securities, records, report: termsReport };
  const termsRevision = records.length === 0 ? undefined : await publishRecords(transaction, terms);
  const lead = isDryRun && at ? await endLeadTime(transaction) : undefined;
  return { revision, termsRevision, counts, report: report.build(), files, lead };
}

async function* streamRows(
  transaction: PublishTransaction,
  options: LoadOptions,
  validator: DraftValidator,
): AsyncGenerator<LocatedRow[]> {
  const { report } = validator.context;
  const readOptions: ReadFilesOptions = {
    ...options,
    onSkipped: (file, what) => report.addSkipped(file, what),
    onDetected: (file, encoding) => report.addEncoding(file, encoding),
    onOtherRows: (file) => report.loadedFiles.add(file),
    onQuarterByMonths(file, value, label) {
      const text = `${value} is read as ${label}, a quarter of the fiscal year that ends in ${label.slice(-4)}`;
      const warning = { rule: 'quarter-by-months', field: 'period', value, text } as const;
      report.addWarning(warning, { file, place: 'line', at: null });
    },
  };
  for await (const { drafts, context } of readDrafts(transaction, readOptions))
    yield await validator.validate(drafts, context);
}

/** Finds the problem, the refused warning or the limit of changes that rejects the files. */
async function findRejection(
  transaction: PublishTransaction,
  options: LoadOptions,
  validator: DraftValidator,
  duplicates: DuplicateRows,
  staged: StagedChange,
): Promise<Error | undefined> {
  const { report, problems } = validator.context;
  const { dataset, replace = false, isStrict = false } = options;
  await duplicates.reportProblems(transaction, options, problems, validator);
  const { listed, count, guard } = problems;
  if (count > 0) return new LoadValidationError(listed, count, report.build(), guard);
  if (replace && report.records === 0)
    return new GuardError('no-records', 'there are no records, and --replace would retire all');
  const names = options.files.map(({ name }) => name);
  const empty = names.filter((name) => !report.loadedFiles.has(name)).join(', ');
  if (empty !== '' && !options.allowsEmpty)
    return new GuardError('no-records', `no records in ${empty}; --allow-empty loads such files`);
  const { locations, published } = validator;
  // The last period before the newest is provisional as well, if anybody may declare the dataset.
  const [newest, previous] = published.periods;
  const corrections = await findPeriodCorrections(dataset, staged.series, {
    before: (dataset.declared ? previous : newest) ?? Number.NEGATIVE_INFINITY,
    isAddition: staged.counts.added > 0,
  });
  const warnings = new DatasetWarnings(
    transaction,
    dataset,
    report,
    locations,
    published,
    replace,
    staged,
    corrections,
  );
  await warnings.add(validator.completers.quotes);
  const refused = report.buildRejection(isStrict);
  if (refused.count > 0) return new LoadValidationError([], refused.count, refused.report);
  const { completeness } = warnings;
  const isFirst = published.periods.length === 0;
  if (!options.isPartial && !isFirst)
    for (const period of completeness) {
      const partial = limitMissingSeries(dataset, period);
      if (partial) return partial;
    }
  const retirement =
    options.canRetireMany || staged.counts.retired === 0
      ? undefined
      : findManyRetired(...(await countRetired(transaction, dataset, staged.counts, replace)));
  const isLimited = !options.canCorrectMany && REFUSAL_RULES['corrects-many'].appliesTo(dataset);
  if (retirement || !isLimited) return retirement;
  return limitCorrections(dataset, staged, validator, corrections);
}

/** What is retired, beside all records that there were: without `--replace`, the rows have a part of them. */
async function countRetired(
  transaction: PublishTransaction,
  dataset: Dataset,
  counts: ChangeCounts,
  replace: boolean,
): Promise<Parameters<typeof findManyRetired>> {
  if (replace) return [dataset, counts];
  const { entries } = await transaction.coverage([dataset]);
  // As of the revision before.
  const unchanged = (entries[0]?.count ?? 0) - counts.corrected - counts.retired;
  return [dataset, { ...counts, unchanged }, 'ACTION D'];
}

/** The files, and the lookup files, which are part of the load. */
async function fingerprintFiles(options: LoadOptions): Promise<readonly FileFingerprint[]> {
  const loaded = await Promise.all(options.files.map(fingerprintFile));
  return [...loaded, ...(await fingerprintLookupFiles(options))];
}

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
