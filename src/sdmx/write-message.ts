import type { Catalogue } from '../catalogue/catalogues.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Awaitable } from '../shared/awaitable.ts';
import { system } from '../shared/system.ts';
import type { StoreReader } from '../store/open-store.ts';
import { readLicence } from '../tabular/list-licences.ts';
import { ANNOTATION_IDS, type Artefact, selectArtefacts } from './artefacts.ts';
import { createCsvWriter } from './data-csv.ts';
import { createXmlWriter } from './data-xml.ts';
import { createFlow, type Flow, NO_VALUES } from './flow.ts';
import type { DataQuery, Message } from './message-query.ts';
import { getFlowReader } from './read-flow.ts';
import { readSeries } from './read-series.ts';
import { writeStructureJson } from './structure-json.ts';
import { writeStructureXml } from './structure-xml.ts';
import type { MessageHeader } from './xml.ts';

const CHUNK_CHARACTERS = 65_536;

interface MessageOptions {
  readonly signal: AbortSignal;
  /** Called with the memory that work took outside of the heap. */
  readonly reportAllocatedBytes: (bytes: number) => void;
}

/** The bytes of a message; none if it would have no content. It ends early after an abort. */
export async function* writeMessage(
  reader: StoreReader,
  catalogue: Catalogue,
  message: Message,
  { signal, reportAllocatedBytes }: MessageOptions,
): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder();
  const parts =
    message.content.kind === 'data'
      ? writeData(reader, catalogue, message, message.content)
      : writeStructure(reader, catalogue, message, message.content);
  let text = '';
  for await (const part of parts) {
    if (signal.aborted) return undefined;
    text += part;
    if (text.length < CHUNK_CHARACTERS) continue;
    const chunk = encoder.encode(text);
    reportAllocatedBytes(chunk.length);
    text = '';
    yield chunk;
    await system.nextTurn();
  }
  if (text !== '') yield encoder.encode(text);
  return undefined;
}

type Content<Kind> = Extract<Message['content'], { kind: Kind }>;

async function* writeData(
  reader: StoreReader,
  catalogue: Catalogue,
  message: Message,
  { dataset, query }: Content<'data'>,
): AsyncGenerator<string> {
  const flow = await getFlowReader(reader)(catalogue.get(dataset), message);
  const writer = createWriter(flow, query, getHeader(message));
  let isStarted = false;
  for await (const series of readSeries(reader, flow, query, message.revision)) {
    if (!isStarted) yield writer.start;
    isStarted = true;
    yield* writer.writeSeries(series);
  }
  if (isStarted) yield writer.end;
}

function createWriter(flow: Flow, query: DataQuery, header: MessageHeader) {
  return query.format === 'xml'
    ? createXmlWriter(flow, query, header)
    : createCsvWriter(flow, query);
}

async function* writeStructure(
  reader: StoreReader,
  catalogue: Catalogue,
  message: Message,
  { datasets, readable, licensed, query }: Content<'structure'>,
): AsyncGenerator<string> {
  const { agency } = message;
  const flows: Flow[] = [];
  for (const name of datasets) {
    const dataset = catalogue.get(name);
    flows.push(
      readable.includes(name)
        ? await getFlowReader(reader)(dataset, message)
        : createFlow(dataset, agency, NO_VALUES),
    );
  }
  const artefacts: Artefact[] = [];
  for (const artefact of selectArtefacts(flows, agency, query))
    artefacts.push(
      await annotate(artefact, (dataset) =>
        licensed.includes(dataset.name)
          ? readLicence(reader, dataset, message.revision)
          : (dataset.declaration?.licence ?? null),
      ),
    );
  if (artefacts.length === 0) return;
  const write = query.format === 'xml' ? writeStructureXml : writeStructureJson;
  yield* write(getHeader(message), artefacts);
}

/** A dataflow with the source and the licence of its dataset, unless only its name is sent. */
async function annotate(
  artefact: Artefact,
  findLicence: (dataset: Dataset) => Awaitable<string | null>,
): Promise<Artefact> {
  if (artefact.kind !== 'dataflow' || artefact.description === undefined) return artefact;
  const { dataset } = artefact.flow;
  const texts = { SOURCE: dataset.declaration?.source, LICENCE: await findLicence(dataset) };
  const annotations = ANNOTATION_IDS.flatMap((id) => {
    const text = texts[id];
    return text ? { id, text } : [];
  });
  return annotations.length === 0 ? artefact : { ...artefact, annotations };
}

/** Nothing in it differs between two messages with the same content. */
function getHeader({ agency, prepared }: Message): MessageHeader {
  return {
    id: `${agency}-${prepared.revision}`,
    prepared: prepared.publishedAt,
    sender: agency,
  };
}
