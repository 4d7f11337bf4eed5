import { catalogue } from '../catalogue/index.ts';
import { reportLines, tally } from '../publish/report.ts';
import type { LedgerEntry, Reader, RecordChange, Revision } from '../store/index.ts';
import type { Call, Command } from './command.ts';
import { print, Refused, WrongUse } from './command.ts';
import { columns, datasetNamed, revisionWord, withReader } from './publishing.ts';
import { sideBySide } from './side-by-side.ts';

export const revisions: Command = {
  usage: 'revisions [N] [--dataset NAME] [--limit N] [--json]',
  words: 1,
  summary: 'Show what was published, or what one revision changed',
  options: {
    dataset: { value: 'NAME', help: 'Only revisions of one dataset' },
    limit: {
      value: 'N',
      help: 'How many revisions, or changes of one, at the most (default: 100)',
    },
    json: { help: 'As JSON' },
  },
  async run(call) {
    const [word] = call.words;
    const limit = limitOf(call);
    await withReader(call, (reader) =>
      word === undefined ? list(call, reader, limit) : one(call, reader, revisionWord(word), limit),
    );
  },
};

async function list(call: Call, reader: Reader, limit: number): Promise<void> {
  const { dataset, json } = call.options;
  const datasets = dataset === undefined ? undefined : [datasetNamed(String(dataset)).name];
  const found = await reader.revisions({ ...(datasets && { datasets }), limit });
  if (json) return print(JSON.stringify(found, null, 2));
  if (found.length === 0) return print('Nothing was published yet: tenor load');
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
  print(columns([titles, ...found.map(rowOf)]));
}

function rowOf(revision: Revision): string[] {
  const { added, corrected, retired, author, source, dataset, publishedAt } = revision;
  const counts = [added, corrected, retired].map(tally);
  return [String(revision.revision), publishedAt, dataset, ...counts, author, source];
}

async function one(call: Call, reader: Reader, number: number, limit: number): Promise<void> {
  const entry = await reader.entry(number);
  const dataset = catalogue.find(({ name }) => name === entry?.dataset);
  if (!entry || !dataset) throw new Refused(`there is no revision ${number}`);
  const changes = await reader.changes(dataset, number, limit);
  if (call.options.json) {
    return print(JSON.stringify({ ...entry, changes: changes.map(parsed) }, null, 2));
  }
  for (const line of entryLines(entry)) print(line);
  for (const change of changes) for (const line of sideBySide(dataset, change)) print(line);
  const rest = entry.added + entry.corrected + entry.retired - changes.length;
  if (rest > 0) print(`… and ${tally(rest)} more; --limit shows more`);
}

function entryLines(entry: LedgerEntry): string[] {
  const { added, corrected, retired, unchanged } = entry;
  const sample = entry.sample ? ' (made-up sample)' : '';
  return [
    `Revision ${entry.revision} of ${entry.dataset}${sample}, published ${entry.publishedAt} by ${entry.author}`,
    `Source: ${entry.source}`,
    ...entry.files.map(
      ({ name, bytes, sha256 }) => `File: ${name}, ${tally(bytes)} bytes, SHA-256 ${sha256}`,
    ),
    `${tally(added)} added, ${tally(corrected)} corrected, ${tally(retired)} retired, ${tally(unchanged)} unchanged`,
    ...reportLines(entry.report),
    '',
  ];
}

function parsed({ change, old, new: replacement }: RecordChange) {
  const record = (text: string | null) => (text === null ? null : JSON.parse(text));
  return { change, old: record(old), new: record(replacement) };
}

function limitOf({ options }: Call): number {
  const { limit = '100' } = options;
  if (/^[1-9]\d{0,8}$/.test(String(limit))) return Number(limit);
  throw new WrongUse('--limit must be a whole number from 1');
}
