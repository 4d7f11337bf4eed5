import { basename } from 'node:path';
import type { AnyRecord, Dataset } from '../catalogue/dataset.ts';
import { FileRefused } from '../formats/index.ts';
import type { Counts, Publisher, Revision, Within } from '../store/index.ts';
import type { Examiner, PlacedRow } from './examine.ts';
import { examinerOf } from './examine.ts';
import type { Fingerprint } from './fingerprint.ts';
import { fingerprint } from './fingerprint.ts';
import { lookupFile } from './mapping/lookup.ts';
import { LoadRefused, Problems } from './problems.ts';
import { periodGaps } from './quality/index.ts';
import type { FilesRequest } from './reading.ts';
import { draftsIn, naming } from './reading.ts';
import { rehearsing } from './rehearse.ts';
import { Repeats } from './repeats.ts';
import type { LoadReport } from './report.ts';
import { Reporting } from './report.ts';

export interface LoadRequest extends Omit<FilesRequest, 'onSkipped'> {
  /** Whether the files are the whole dataset: what is not in them is retired. */
  readonly replace?: boolean;
  /** Whether a warning refuses the load. */
  readonly strict?: boolean;
  /** Whether all is done but publishing. */
  readonly dryRun?: boolean;
  readonly author: string;
}

export interface Loaded {
  /** Absent where nothing changed, and where nothing was to be published. */
  readonly revision: Revision | undefined;
  readonly counts: Counts;
  readonly report: LoadReport;
}

/**
 * Reads files, checks every record, and publishes them as one revision. Where a record is refused,
 * all are, and everything that is wrong is told at once.
 */
export async function load(publisher: Publisher, request: LoadRequest): Promise<Loaded> {
  const { dryRun = false } = request;
  const loaded = await rehearsing(publisher, dryRun, (within) => loadWithin(within, request));
  return dryRun ? { ...loaded, revision: undefined } : loaded;
}

async function loadWithin(within: Within, request: LoadRequest): Promise<Loaded> {
  const { dataset, files, mapping, replace = false, strict = false, author } = request;
  const prints = await Promise.all(files.map(fingerprint));
  const beside = await lookupPrints(request);
  const problems = new Problems();
  const repeats = new Repeats();
  const reporting = new Reporting();
  const examiner = await examinerOf(dataset, within, {
    problems,
    reporting,
    uncomputable: mapping.uncomputable,
  });
  let counts: Counts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };

  const revision = await within.publish({
    dataset,
    author,
    replace,
    source: prints.map(({ name }) => name).join(', '),
    files: [...prints, ...beside].map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    rows: rowsOf(
      within,
      { ...request, onSkipped: (file, what) => reporting.skip(file, what) },
      examiner,
    ),
    repeated: (row) => repeats.add(row as PlacedRow),
    async conclude(final) {
      counts = final;
      for (const print of [...prints, ...beside]) print.confirm();
      await repeats.tell(within, request, problems);
      if (problems.count > 0) {
        throw new LoadRefused(problems.first, problems.count, reporting.report());
      }
      if (replace && reporting.records === 0) {
        throw new FileRefused('there are no records, and --replace would retire all there are');
      }
      await lookAtGaps(within, dataset, reporting);
      if (strict && reporting.warnings > 0) {
        throw new LoadRefused([], reporting.warnings, reporting.report());
      }
      const terms = examiner.terms();
      reporting.terms = terms.size;
      // Readers see it: where a publisher keeps files is not for them.
      return { report: { ...reporting.report((file) => basename(file)) }, terms };
    },
  });
  return { revision, counts, report: reporting.report() };
}

/** Files that things are looked up in are a part of what was loaded. */
async function lookupPrints({ mapping, files }: LoadRequest): Promise<Fingerprint[]> {
  const prints = new Map<string, Fingerprint>();
  for (const file of mapping.lookup ? files : []) {
    await naming(file, async () => {
      const found = lookupFile(mapping.lookup, file);
      if (found && !prints.has(found.path)) prints.set(found.path, await fingerprint(found));
    });
  }
  return [...prints.values()];
}

async function* rowsOf(
  within: Within,
  request: FilesRequest,
  examiner: Examiner,
): AsyncGenerator<readonly PlacedRow[]> {
  for await (const { drafts, where } of draftsIn(within, request)) {
    yield await examiner.examine(drafts, where);
  }
}

/** Periods that are missing from a series as it now is. */
async function lookAtGaps(within: Within, dataset: Dataset, reporting: Reporting): Promise<void> {
  if (!dataset.period) return;
  const { field, kind } = dataset.period;
  const { records } = await within.read({ find: 'series', dataset });
  const labels = (JSON.parse(`[${records}]`) as AnyRecord[]).map((record) => String(record[field]));
  const places = labels.flatMap((label) => kind.place(label) ?? []);
  for (const warning of periodGaps(kind, places, field)) {
    reporting.warn(warning, { file: '', place: 'line', at: null });
  }
}
