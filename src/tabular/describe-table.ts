import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Parameters } from '../catalogue/model/parameter.ts';
import type { MetadataLine } from '../formats/file-contents.ts';
import type { Revision, StoreReader } from '../store/open-store.ts';
import type { RecordSource } from './encode-records.ts';

export type { MetadataLine };

export type RevisionReader = Pick<StoreReader, 'revisions'>;

/** The origin of a table, independent of when the table is created. */
export interface TableOrigin {
  readonly source: RecordSource;
  /** The names of the datasets that it is computed from. */
  readonly datasets: readonly string[];
  readonly revision: number;
  /** Set if the table is of an earlier revision than the newest. */
  readonly asOf?: number | undefined;
  /** The path and query of the request, which contain no credential. */
  readonly target?: string;
}

/** Says what a table is, who published it when, and whether it is made up. */
export async function describeTable(
  reader: RevisionReader,
  { source, datasets, revision, asOf, target }: TableOrigin,
): Promise<readonly MetadataLine[]> {
  const [lastChange] = await readRevisions(reader, revision, datasets);
  const asOfRevision = asOf === undefined ? undefined : await readRevisions(reader, asOf);
  const { title, description, notes = [] } = getDescription(source);
  return [
    ['Title', title],
    ['Description', description],
    ...(await describeSample(reader, datasets, lastChange)),
    ...notes.map((note): MetadataLine => ['Note', note]),
    ...(target === undefined ? [] : describeRequest(target)),
    ...(lastChange ? describeRevision('Revision', lastChange) : []),
    ...(asOfRevision ? describeAsOf(asOfRevision[0]) : []),
    [
      'Documentation',
      'At /docs of the service; /catalogue has every dataset, /revisions what was published',
    ],
  ];
}

export interface TableSize {
  readonly source: RecordSource;
  readonly count: number;
  /** The number of matching records, if they were counted. */
  readonly total?: number | undefined;
  /** Whether more records match than the table has. */
  readonly hasMore: boolean;
}

/** Says how many records a table has, and how to get the others. */
export function describeSize({ source, count, total, hasMore }: TableSize): MetadataLine[] {
  return [
    ['Records', count],
    ...(total === undefined ? [] : [['Matching records', total] as const]),
    ...(hasMore ? [['Left out', explainRest(source)] as const] : []),
  ];
}

function explainRest(source: RecordSource): string {
  const parameters: Parameters = 'parameters' in source ? source.parameters : {};
  const { maximum } = parameters.limit?.schema ?? {};
  return [
    'More records match than are here.',
    maximum === undefined ? '' : `A limit of up to ${maximum} gives more of them.`,
    'The Link header of the response has the address of the next page.',
    'shape' in source && !('computedUnits' in source)
      ? `/exports/${source.name}.csv has the complete dataset.`
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function describeRequest(target: string): MetadataLine[] {
  const request: MetadataLine = ['Request', `GET ${withoutRepresentation(target)}`];
  if (!/[?&]cursor=/.test(target)) return [request];
  return [request, ['Page', 'A later page: the pages before it have other records.']];
}

/** The file is the same whether a header or the address asks for its format and revision. */
function withoutRepresentation(target: string): string {
  const [path, query = ''] = target.split('?', 2);
  const pairs = query.split('&').filter((pair) => !/^(format|as_of)=|^$/.test(pair));
  return pairs.length === 0 ? `${path}` : `${path}?${pairs.join('&')}`;
}

function getDescription(
  source: RecordSource,
): Pick<Dataset, 'title' | 'description'> & Partial<Pick<Dataset, 'notes'>> {
  if (!('changesOf' in source)) return source;
  const { title, notes } = source.changesOf;
  const [changes, description] = CHANGE_DESCRIPTIONS[source.kind];
  return { title: `${changes} of ${lowerFirstWord(title)}`, description, notes };
}

const CHANGE_DESCRIPTIONS = {
  changes: ['Changes', 'What must be done to a copy of an earlier revision to have this one.'],
  corrections: ['Corrections', 'Records that were corrected or retired, before and after.'],
  vintages: ['Vintages', 'Every published state of the records, and when it was valid.'],
} as const;

/** A title within a sentence; abbreviations such as ATM stay as they are. */
function lowerFirstWord(title: string): string {
  return title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** The newest revision up to a number, of all datasets or of some. */
function readRevisions(
  reader: RevisionReader,
  revision: number,
  datasets?: readonly string[],
): Promise<Revision[]> {
  return reader.revisions({ ...(datasets && { datasets }), before: revision + 1, limit: 1 });
}

function describeRevision(label: string, { revision, publishedAt }: Revision): MetadataLine[] {
  return [
    [label, revision],
    [`${label} published at`, publishedAt],
  ];
}

function describeAsOf(revision: Revision | undefined): MetadataLine[] {
  if (!revision) return [['As of revision', 'before the first one']];
  return describeRevision('As of revision', revision);
}

/** A sample is published first or not at all, so checking the first revisions suffices. */
const MAX_CHECKED_REVISIONS = 100;

async function describeSample(
  reader: RevisionReader,
  datasets: readonly string[],
  lastChange: Revision | undefined,
): Promise<MetadataLine[]> {
  if (!lastChange) return [];
  if (lastChange.sample) return [['Made up', MADE_UP]];
  const before = Math.min(lastChange.revision, MAX_CHECKED_REVISIONS + 1);
  const first = await reader.revisions({ datasets, before, limit: MAX_CHECKED_REVISIONS });
  if (!first.some(({ sample }) => sample)) return [];
  return [['Made up', PARTLY_MADE_UP]];
}

export const MADE_UP = 'No security, fund or figure here is real.';
export const PARTLY_MADE_UP =
  'Some of this may be made up: a sample was published first. /revisions shows which.';
