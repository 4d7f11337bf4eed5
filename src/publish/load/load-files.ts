import { basename } from 'node:path';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { InvalidFileError } from '../../formats/read-contents.ts';
import type {
  ChangeCounts,
  Publisher,
  PublishTransaction,
  Revision,
} from '../../store/open-store.ts';
import { withDryRun } from '../dry-run.ts';
import { getLookupFile } from '../mapping/external-columns.ts';
import { findPeriodGaps } from '../quality/index.ts';
import type { DraftValidator, LocatedRow } from './draft-validator.ts';
import { createDraftValidator } from './draft-validator.ts';
import { DuplicateRows } from './duplicate-rows.ts';
import { LoadValidationError, ProblemCollector } from './file-problems.ts';
import type { FileFingerprint } from './fingerprint-file.ts';
import { fingerprintFile } from './fingerprint-file.ts';
import type { LoadReport } from './load-report.ts';
import { LoadReportBuilder } from './load-report.ts';
import type { ReadFilesOptions } from './read-files.ts';
import { readDrafts, withFileNameInErrors } from './read-files.ts';

export interface LoadOptions extends Omit<ReadFilesOptions, 'onSkipped'> {
  /** Whether the files are the whole dataset: what is not in them is retired. */
  readonly replace?: boolean;
  /** Whether a warning refuses the load. */
  readonly isStrict?: boolean;
  /** Whether all is done but publishing. */
  readonly isDryRun?: boolean;
  readonly author: string;
}

export interface LoadResult {
  /** Absent where nothing changed, and where nothing was to be published. */
  readonly revision: Revision | undefined;
  readonly counts: ChangeCounts;
  readonly report: LoadReport;
}

/**
 * Reads files, checks every record, and publishes them as one revision. Where a record is refused,
 * all are, and everything that is wrong is told at once.
 */
export async function loadFiles(publisher: Publisher, request: LoadOptions): Promise<LoadResult> {
  const { isDryRun = false } = request;
  const loaded = await withDryRun(publisher, isDryRun, (transaction) =>
    loadInTransaction(transaction, request),
  );
  return isDryRun ? { ...loaded, revision: undefined } : loaded;
}

async function loadInTransaction(
  transaction: PublishTransaction,
  request: LoadOptions,
): Promise<LoadResult> {
  const { dataset, files, mapping, replace = false, isStrict = false, author } = request;
  const prints = await Promise.all(files.map(fingerprintFile));
  const beside = await fingerprintLookupFiles(request);
  const problems = new ProblemCollector();
  const repeats = new DuplicateRows();
  const reporting = new LoadReportBuilder();
  const examiner = await createDraftValidator(dataset, transaction, {
    problems,
    report: reporting,
    uncomputable: mapping.uncomputable,
  });
  let counts: ChangeCounts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };

  const revision = await transaction.publish({
    dataset,
    author,
    replace,
    source: prints.map(({ name }) => name).join(', '),
    files: [...prints, ...beside].map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    rows: streamValidatedRows(
      transaction,
      { ...request, onSkipped: (file, what) => reporting.addSkipped(file, what) },
      examiner,
    ),
    onDuplicateKey: (row) => repeats.add(row as LocatedRow),
    async finalize(final) {
      counts = final;
      for (const print of [...prints, ...beside]) print.assertUnchanged();
      await repeats.reportProblems(transaction, request, problems);
      if (problems.count > 0) {
        throw new LoadValidationError(problems.listed, problems.count, reporting.build());
      }
      if (replace && reporting.records === 0) {
        throw new InvalidFileError(
          'there are no records, and --replace would retire all there are',
        );
      }
      await warnAboutPeriodGaps(transaction, dataset, reporting);
      if (isStrict && reporting.warnings > 0) {
        throw new LoadValidationError([], reporting.warnings, reporting.build());
      }
      const terms = examiner.getChangedTerms();
      reporting.terms = terms.size;
      // Readers see it: where a publisher keeps files is not for them.
      return { report: { ...reporting.build((file) => basename(file)) }, terms };
    },
  });
  return { revision, counts, report: reporting.build() };
}

/** Files that things are looked up in are a part of what was loaded. */
async function fingerprintLookupFiles({ mapping, files }: LoadOptions): Promise<FileFingerprint[]> {
  const prints = new Map<string, FileFingerprint>();
  for (const file of mapping.lookup ? files : []) {
    await withFileNameInErrors(file, async () => {
      const found = getLookupFile(mapping.lookup, file);
      if (found && !prints.has(found.path)) prints.set(found.path, await fingerprintFile(found));
    });
  }
  return [...prints.values()];
}

async function* streamValidatedRows(
  transaction: PublishTransaction,
  request: ReadFilesOptions,
  examiner: DraftValidator,
): AsyncGenerator<readonly LocatedRow[]> {
  for await (const { drafts, context } of readDrafts(transaction, request)) {
    yield await examiner.validate(drafts, context);
  }
}

/** Periods that are missing from a series as it now is. */
async function warnAboutPeriodGaps(
  transaction: PublishTransaction,
  dataset: Dataset,
  reporting: LoadReportBuilder,
): Promise<void> {
  if (!dataset.period) return;
  const { field, kind } = dataset.period;
  const { records } = await transaction.read({ kind: 'series', dataset });
  const labels = (JSON.parse(`[${records}]`) as AnyRecord[]).map((record) => String(record[field]));
  const places = labels.flatMap((label) => kind.toOrdinal(label) ?? []);
  for (const warning of findPeriodGaps(kind, places, field)) {
    reporting.addWarning(warning, { file: '', place: 'line', at: null });
  }
}
