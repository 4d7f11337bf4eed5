import { catalogue } from '../../catalogue/index.ts';
import type { LedgerEntry, RecordChange, Revision, StoreReader } from '../../store/open-store.ts';
import { findDataset, parseRevisionNumber } from '../arguments.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { formatChangeCounts, formatColumns } from '../format.ts';
import { formatRecordChange } from '../format-record-change.ts';
import { formatCount, formatReport } from '../format-report.ts';
import { printJson, printLine } from '../output.ts';
import { withReader } from '../with-store.ts';

export const revisionsCommand: Command = {
  usage: 'revisions [N] [--dataset NAME] [--limit N] [--json]',
  maxArguments: 1,
  summary: 'List the revisions, or show the changes of one',
  options: {
    dataset: { placeholder: 'NAME', help: 'Only revisions of one dataset' },
    limit: {
      placeholder: 'N',
      help: 'The maximum number of revisions, or of changes of one (default: 100)',
    },
    json: { help: 'As JSON' },
  },
  async run(call) {
    const [number] = call.positionals;
    const limit = parseLimit(call);
    await withReader(call, (reader) =>
      number === undefined
        ? printRevisionList(call, reader, limit)
        : printRevision(call, reader, parseRevisionNumber(number), limit),
    );
  },
};

async function printRevisionList(
  call: CommandCall,
  reader: StoreReader,
  limit: number,
): Promise<void> {
  const { dataset, json } = call.options;
  const datasets = dataset === undefined ? undefined : [findDataset(String(dataset)).name];
  const revisions = await reader.revisions({ ...(datasets && { datasets }), limit });
  if (json) return printJson(revisions);
  if (revisions.length === 0) {
    return printLine('No revisions yet. Use tenor load to publish data.');
  }
  printLine(formatColumns([COLUMN_TITLES, ...revisions.map(toTableRow)]));
}

const COLUMN_TITLES = 'revision published dataset added corrected retired by source'.split(' ');

function toTableRow(revision: Revision): string[] {
  const { added, corrected, retired, author, source, dataset, publishedAt } = revision;
  const counts = [added, corrected, retired].map(formatCount);
  return [String(revision.revision), publishedAt, dataset, ...counts, author, source];
}

async function printRevision(
  call: CommandCall,
  reader: StoreReader,
  number: number,
  limit: number,
): Promise<void> {
  const entry = await reader.ledgerEntry(number);
  const dataset = catalogue.find(({ name }) => name === entry?.dataset);
  if (!entry || !dataset) throw new CommandError(`there is no revision ${number}`);
  const changes = await reader.changes(dataset, number, limit);
  if (call.options.json) return printJson({ ...entry, changes: changes.map(parseChange) });
  for (const line of formatLedgerEntry(entry)) printLine(line);
  for (const change of changes)
    for (const line of formatRecordChange(dataset, change)) printLine(line);
  const hidden = entry.added + entry.corrected + entry.retired - changes.length;
  if (hidden > 0) printLine(`… and ${formatCount(hidden)} more; use --limit to show them`);
}

function formatLedgerEntry(entry: LedgerEntry): string[] {
  const sample = entry.sample ? ' (sample data)' : '';
  return [
    `Revision ${entry.revision} of ${entry.dataset}${sample}, published ${entry.publishedAt} by ${entry.author}`,
    `Source: ${entry.source}`,
    ...entry.files.map(
      ({ name, bytes, sha256 }) => `File: ${name}, ${formatCount(bytes)} bytes, SHA-256 ${sha256}`,
    ),
    formatChangeCounts(entry),
    ...formatReport(entry.report),
    '',
  ];
}

function parseChange({ change, old, new: current }: RecordChange) {
  const parse = (text: string | null) => (text === null ? null : JSON.parse(text));
  return { change, old: parse(old), new: parse(current) };
}

function parseLimit({ options }: CommandCall): number {
  const { limit = '100' } = options;
  if (/^[1-9]\d{0,8}$/.test(String(limit))) return Number(limit);
  throw new UsageError('--limit must be a whole number from 1');
}
