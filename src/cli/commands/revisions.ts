import { Catalogues } from '../../catalogue/catalogues.ts';
import { catalogue as shippedDatasets } from '../../catalogue/index.ts';
import { buildCatalogueEntry } from '../../catalogue/model/catalogue-entry.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { diffRecords } from '../../catalogue/model/diff-records.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import {
  type LedgerEntry,
  type RecordChange,
  type Revision,
  type RevisionOptions,
  type StoreReader,
  UNREADABLE_DATASET,
} from '../../store/open-store.ts';
import { findStoredDataset, parseNumberOption, parseRevisionNumber } from '../arguments.ts';
import { type Command, type CommandCall, CommandError } from '../command.ts';
import {
  formatChangeCounts,
  formatColumns,
  formatInteger,
  formatReport,
  pluralize,
} from '../format.ts';
import { printJson, printLine, printNote, printStyled } from '../output.ts';
import { withReader } from '../with-store.ts';

const DEFAULT_LIMIT = 100;

export const revisionsCommand: Command = {
  usage: 'revisions [N] [--dataset NAME] [--limit N] [--json]',
  maxArguments: 1,
  summary: 'List the revisions, or show the changes of one',
  options: {
    dataset: { placeholder: 'NAME', help: 'Only revisions of one dataset' },
    limit: {
      placeholder: 'N',
      help: `Maximum number of revisions, or of changes of one (default: ${DEFAULT_LIMIT})`,
    },
    json: { help: 'As JSON' },
  },
  async run(call) {
    const [number] = call.positionals;
    const limit = parseNumberOption(call, 'limit', 1, 999_999_999) ?? DEFAULT_LIMIT;
    await withReader(call, (reader) =>
      number === undefined
        ? printRevisionList(call, reader, limit)
        : printRevision(call, reader, parseRevisionNumber(number), limit),
    );
  },
};

async function printRevisionList(call: CommandCall, reader: StoreReader, limit: number) {
  const { dataset, json } = call.options;
  const named = dataset === undefined ? [] : [String(dataset)];
  for (const name of named) await findStoredDataset(call, name, { includesRetired: true });
  const filter = named.length > 0 && { datasets: named };
  const found = await reader.revisions({ ...filter, limit: limit + 1 });
  const revisions = found.slice(0, limit);
  if (json) printJson(revisions);
  else if (revisions.length === 0) printLine('No revisions yet. Use tenor load to publish data.');
  else printStyled(formatColumns(buildTable(revisions)));
  if (found.length > limit)
    printNote(`showing the newest ${pluralize(limit, 'revision')}; use --limit for more`);
}

const COLUMN_TITLES = 'revision published dataset added corrected retired by source'.split(' ');

/** The column of the notes is left out if there are none. */
function buildTable(revisions: readonly Revision[]): string[][] {
  const rows = revisions.map(toTableRow);
  if (revisions.every(({ note }) => note === undefined)) return [COLUMN_TITLES, ...rows];
  const notes = revisions.map(({ note = '' }) => note.replaceAll('\n', ' '));
  return [[...COLUMN_TITLES, 'note'], ...rows.map((row, index) => [...row, notes[index] ?? ''])];
}

function toTableRow(revision: Revision): string[] {
  const { added, corrected, retired, author, source, dataset, publishedAt } = revision;
  const counts = [added, corrected, retired].map(formatInteger);
  const name = dataset === UNREADABLE_DATASET ? '(not readable)' : dataset;
  return [String(revision.revision), publishedAt, name, ...counts, author, source];
}

async function printRevision(
  call: CommandCall,
  reader: StoreReader,
  number: number,
  limit: number,
): Promise<void> {
  const entry = await reader.ledgerEntry(number);
  const catalogue = await new Catalogues(shippedDatasets, reader).prepare(number);
  const dataset = catalogue.find(entry?.dataset ?? '');
  if (entry?.dataset === UNREADABLE_DATASET)
    throw new CommandError(
      `revision ${number} is not readable in the database that this one follows`,
    );
  if (!entry || !dataset) throw new CommandError(`there is no revision ${number}`);
  const changes = (await reader.changes(dataset, number, limit)).map(parseChange);
  const total = entry.added + entry.corrected + entry.retired;
  const hidden = total - changes.length;
  if (call.options.json) {
    printJson({ ...entry, changes });
    if (hidden > 0) {
      const shown = `${formatInteger(changes.length)} of ${pluralize(total, 'change')}`;
      printNote(`showing ${shown}; use --limit to show more`);
    }
    return;
  }
  const lines = changes.flatMap((change) => formatRecordChange(dataset, change));
  for (const line of [...formatLedgerEntry(entry), ...lines]) printLine(line);
  if (hidden > 0) printLine(`… and ${formatInteger(hidden)} more; use --limit to show them`);
}

function formatLedgerEntry(entry: LedgerEntry): string[] {
  const sample = entry.sample ? ' (sample data)' : '';
  return [
    `Revision ${entry.revision} of ${entry.dataset}${sample}, published ${entry.publishedAt} by ${formatPublishers(entry)}`,
    ...(entry.note === undefined ? [] : [`Note: ${entry.note}`]),
    `Source: ${entry.source}`,
    ...entry.files.map(
      ({ name, bytes, sha256 }) =>
        `File: ${name}, ${formatInteger(bytes)} bytes, SHA-256 ${sha256}`,
    ),
    ...formatRevisionOptions(entry.options),
    formatChangeCounts(entry),
    ...formatReport(entry.report),
    '',
  ];
}

/** Accounts before the author, which is whatever name somebody gave. */
function formatPublishers({ author, options: { release = {} } }: LedgerEntry): string {
  const { publishedBy, stagedBy, approvedBy = [], urgent } = release;
  if (publishedBy === undefined || stagedBy === undefined) return author;
  const approved = approvedBy.length > 0 ? `, approved by ${approvedBy.join(', ')}` : '';
  const reason = urgent === undefined ? '' : `, urgently (${urgent})`;
  return `${publishedBy}${reason}, staged by ${stagedBy}${approved}, for ${author}`;
}

function formatRevisionOptions(revisionOptions: RevisionOptions): string[] {
  const { mapping, options = {}, adapter, muted, refused } = revisionOptions;
  const lines = {
    Adapter: adapter && `${adapter.name}, SHA-256 ${adapter.sha256}`,
    Mapping: mapping && toJson(mapping),
    Options: Object.entries(options)
      .map(([name, value]) => (value === true ? name : `${name} ${toJson(value)}`))
      .join(', '),
    Muted: muted?.join(', '),
    Refused: refused?.join(', '),
  };
  return Object.entries(lines).flatMap(([title, text]) => (text ? [`${title}: ${text}`] : []));
}

function parseChange({ change, old, new: current }: RecordChange) {
  const parse = (text: string | null): AnyRecord | null =>
    text === null ? null : JSON.parse(text);
  return { change, old: parse(old), new: parse(current) };
}

/** The lines that show a changed record: a correction's old and new values, else all its fields. */
function formatRecordChange(
  dataset: Dataset,
  { change, old: before, new: after }: ReturnType<typeof parseChange>,
): string[] {
  const record = after ?? before ?? {};
  const title = [change, ...getKeyFields(dataset).map((field) => record[field])].join(' ');
  if (!before || !after) return [title, `  ${summarizeRecord(dataset, record)}`];
  const differences = diffRecords(buildCatalogueEntry(dataset), before, after);
  if (differences.length === 0) return [title, '  only its status'];
  const width = Math.max(...differences.map(({ name }) => name.length));
  const lines = differences.map(
    (difference) =>
      `  ${difference.name.padEnd(width)}  ${toJson(difference.old)} → ${toJson(difference.new)}`,
  );
  return [title, ...lines];
}

const MAX_VALUE_LENGTH = 60;

/** The fields of a record except its key, on one line; long values are shortened. */
function summarizeRecord(dataset: Dataset, record: AnyRecord): string {
  const keys: readonly string[] = getKeyFields(dataset);
  const fields = Object.keys(dataset.fields).filter((field) => !keys.includes(field));
  return fields
    .map((field) => {
      const text = toJson(record[field]);
      const isLong = text.length > MAX_VALUE_LENGTH;
      return `${field} ${isLong ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text}`;
    })
    .join(', ');
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? '–';
}
