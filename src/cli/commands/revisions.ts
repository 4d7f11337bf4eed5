import { catalogue } from '../../catalogue/index.ts';
import type { LedgerEntry, RecordChange, Revision, StoreReader } from '../../store/open-store.ts';
import type { Command, CommandCall } from '../command.ts';
import { CommandError, printLine, UsageError } from '../command.ts';
import { formatRecordChange } from '../format-record-change.ts';
import { formatCount, formatReport } from '../format-report.ts';
import { findDataset, formatColumns, parseRevisionNumber, withReader } from '../publishing.ts';

export const revisionsCommand: Command = {
  usage: 'revisions [N] [--dataset NAME] [--limit N] [--json]',
  maxArguments: 1,
  summary: 'Show what was published, or what one revision changed',
  options: {
    dataset: { placeholder: 'NAME', help: 'Only revisions of one dataset' },
    limit: {
      placeholder: 'N',
      help: 'How many revisions, or changes of one, at the most (default: 100)',
    },
    json: { help: 'As JSON' },
  },
  async run(call) {
    const [word] = call.positionals;
    const limit = parseLimit(call);
    await withReader(call, (reader) =>
      word === undefined
        ? printRevisionList(call, reader, limit)
        : printRevision(call, reader, parseRevisionNumber(word), limit),
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
  const found = await reader.revisions({ ...(datasets && { datasets }), limit });
  if (json) return printLine(JSON.stringify(found, null, 2));
  if (found.length === 0) return printLine('Nothing was published yet: tenor load');
  const titles = [
    'revision',
    'published',
    'dataset',
    'added',
    'corrected',
    'retired',
    'by',
    'source',
  ];
  printLine(formatColumns([titles, ...found.map(toTableRow)]));
}

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
  if (call.options.json) {
    return printLine(JSON.stringify({ ...entry, changes: changes.map(parseChange) }, null, 2));
  }
  for (const line of formatLedgerEntry(entry)) printLine(line);
  for (const change of changes)
    for (const line of formatRecordChange(dataset, change)) printLine(line);
  const rest = entry.added + entry.corrected + entry.retired - changes.length;
  if (rest > 0) printLine(`… and ${formatCount(rest)} more; --limit shows more`);
}

function formatLedgerEntry(entry: LedgerEntry): string[] {
  const { added, corrected, retired, unchanged } = entry;
  const sample = entry.sample ? ' (made-up sample)' : '';
  return [
    `Revision ${entry.revision} of ${entry.dataset}${sample}, published ${entry.publishedAt} by ${entry.author}`,
    `Source: ${entry.source}`,
    ...entry.files.map(
      ({ name, bytes, sha256 }) => `File: ${name}, ${formatCount(bytes)} bytes, SHA-256 ${sha256}`,
    ),
    `${formatCount(added)} added, ${formatCount(corrected)} corrected, ${formatCount(retired)} retired, ${formatCount(unchanged)} unchanged`,
    ...formatReport(entry.report),
    '',
  ];
}

function parseChange({ change, old, new: replacement }: RecordChange) {
  const record = (text: string | null) => (text === null ? null : JSON.parse(text));
  return { change, old: record(old), new: record(replacement) };
}

function parseLimit({ options }: CommandCall): number {
  const { limit = '100' } = options;
  if (/^[1-9]\d{0,8}$/.test(String(limit))) return Number(limit);
  throw new UsageError('--limit must be a whole number from 1');
}
