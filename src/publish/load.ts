import type { AnyRecord, Dataset } from '../catalogue/dataset.ts';
import { keyFields } from '../derive/key.ts';
import { FileRefused, openInput, readContents } from '../formats/index.ts';
import type { Counts, Publisher, Revision, Within } from '../store/index.ts';
import type { PlacedRow } from './examine.ts';
import { examinerOf } from './examine.ts';
import type { LoadFile } from './fingerprint.ts';
import { fingerprint } from './fingerprint.ts';
import { elsewhereOf } from './lookup.ts';
import type { Mapping } from './mapping/mapping.ts';
import { habitsOf } from './mapping/mapping.ts';
import { LoadRefused, Problems } from './problems.ts';
import { periodGaps } from './quality/index.ts';
import { draftsOf } from './records/read.ts';
import { rehearsing } from './rehearse.ts';
import type { LoadReport } from './report.ts';
import { Reporting } from './report.ts';

export interface LoadRequest {
  readonly dataset: Dataset;
  readonly files: readonly LoadFile[];
  readonly mapping: Mapping;
  /** Whether the files are the whole dataset: what is not in them is retired. */
  readonly replace?: boolean;
  /** Whether a warning refuses the load. */
  readonly strict?: boolean;
  /** Whether all is done but publishing. */
  readonly dryRun?: boolean;
  readonly author: string;
  /** Told how many bytes were read in all; throwing ends the load. */
  readonly onRead?: (bytes: number) => void;
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
  const problems = new Problems();
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
    files: prints.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    rows: rowsOf(within, request, examiner, reporting),
    repeated: (row) => problems.add(repetition(dataset, row as PlacedRow)),
    async conclude(final) {
      counts = final;
      for (const print of prints) print.confirm();
      if (problems.count > 0)
        throw new LoadRefused(problems.first, problems.count, reporting.report());
      if (replace && reporting.records === 0) {
        throw new FileRefused(
          'there are no records in it, and --replace would retire all there are',
        );
      }
      await lookAtGaps(within, dataset, reporting);
      if (strict && reporting.warnings > 0) {
        throw new LoadRefused([], reporting.warnings, reporting.report());
      }
      await within.keepTerms(examiner.terms);
      return { ...reporting.report() };
    },
  });
  return { revision, counts, report: reporting.report() };
}

async function* rowsOf(
  within: Within,
  { dataset, files, mapping, onRead }: LoadRequest,
  examiner: Awaited<ReturnType<typeof examinerOf>>,
  reporting: Reporting,
): AsyncGenerator<readonly PlacedRow[]> {
  const now = new Date().toISOString();
  const habits = habitsOf(mapping);
  const standingFund = async (id: string) => {
    const { records } = await within.read({ find: 'fund', dataset, id });
    return records === '' ? undefined : (JSON.parse(records) as AnyRecord);
  };
  for (const file of files) {
    const input = await openInput(file.path, onRead);
    try {
      const { format, sheet } = mapping;
      const contents = await readContents(input, {
        ...(format && { format }),
        ...(sheet && { sheet }),
      });
      const where = { file: file.name, place: contents.place };
      const elsewhere = await elsewhereOf(mapping, file);
      const onSkipped = (what: string) => reporting.skip(`${file.name}: ${what}`);
      const circumstances = { dataset, mapping, habits, elsewhere, standingFund, now, onSkipped };
      for await (const drafts of draftsOf(contents, circumstances)) {
        yield await examiner.examine(drafts, where);
      }
    } catch (cause) {
      throw cause instanceof FileRefused ? named(cause, file) : cause;
    } finally {
      input.close();
    }
  }
}

/** A refusal with the name of its file; most are told as what the file is or has. */
function named({ message }: FileRefused, { name }: LoadFile): FileRefused {
  if (message.startsWith(name)) return new FileRefused(message);
  const isPredicate = /^(is|has|holds|names|was|inflates|ends|cannot|does)\b/.test(message);
  return new FileRefused(`${name}${isPredicate ? ' ' : ': '}${message}`);
}

/** What is wrong with a row whose key came before. */
function repetition(dataset: Dataset, { file, place, at, text }: PlacedRow) {
  const record = JSON.parse(text) as AnyRecord;
  const fields = keyFields(dataset);
  const value = fields.map((field) => record[field]).join(' ');
  const rule = 'given once: an earlier record of this load has the same';
  return { file, place, at, field: fields.join(', '), value, rule };
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
