import { createMessage, postMessage } from '../support/mcp-client.ts';
import { findElements, readXml } from '../support/read-xml.ts';
import type { TestServer } from '../support/test-server.ts';
import { TOKEN } from '../support/test-server.ts';

interface Texts {
  readonly source: string | undefined;
  readonly licence: string | undefined;
}

type ReadTexts = (service: TestServer, dataset: string, asOf?: string) => Promise<Texts>;

interface Named {
  readonly name: string;
}

/** How source and licence of a dataset are read by each door that tells them. */
export const DOORS: Readonly<Record<string, ReadTexts>> = {
  async '/catalogue'(service, dataset, asOf) {
    const { data } = await service.getJson(`/catalogue?limit=100${toParameter(asOf)}`);
    return toTexts(find(data, dataset));
  },

  async 'the data package'(service, dataset, asOf) {
    const parameter = asOf === undefined ? '' : `?as_of=${asOf}`;
    const { resources } = await service.getJson(`/datapackage.json${parameter}`);
    const { sources = [], licenses = [] } = find(resources, dataset) as unknown as {
      sources?: { title: string; path?: string }[];
      licenses?: { name?: string; path?: string; title?: string }[];
    };
    // Those of loads lead to the ledger.
    const declared = sources.filter(({ path }) => path === undefined);
    const [{ title, path, name } = {}] = licenses;
    return { source: declared[0]?.title, licence: title ?? path ?? name };
  },

  async 'SDMX-ML'(service, dataset, asOf) {
    const flow = toFlowId(dataset);
    const message = readXml(await getText(service, `/sdmx/2.1/dataflow/TENOR/${flow}`, asOf));
    const [artefact] = findElements(message, 'Dataflow');
    const annotations = artefact ? findElements(artefact, 'Annotation') : [];
    const getAnnotation = (id: string) => {
      const annotation = annotations.find(({ attributes }) => attributes.id === id);
      return annotation && findElements(annotation, 'AnnotationText')[0]?.text;
    };
    return { source: getAnnotation('SOURCE'), licence: getAnnotation('LICENCE') };
  },

  async 'SDMX-JSON'(service, dataset, asOf) {
    const target = `/sdmx/2/structure/dataflow/TENOR/${toFlowId(dataset)}`;
    const accept = 'application/vnd.sdmx.structure+json;version=2.0.0';
    const { data } = JSON.parse(await getText(service, target, asOf, accept));
    const annotations: { id: string; text: string }[] = data.dataflows[0].annotations ?? [];
    const getAnnotation = (name: string) => annotations.find(({ id }) => id === name)?.text;
    return { source: getAnnotation('SOURCE'), licence: getAnnotation('LICENCE') };
  },

  async MCP(service, dataset, asOf) {
    const args = { dataset, ...(asOf !== undefined && { as_of: asOf }) };
    const { body, headers } = createMessage('tools/call', {
      name: 'describe_datasets',
      arguments: args,
    });
    const response = await postMessage(service.address, body, headers);
    const { result } = JSON.parse(await response.text());
    const texts = toTexts(find(result.structuredContent.data, dataset));
    const [summary = ''] = result.content[0].text.split('\n');
    for (const text of [texts.source, texts.licence]) {
      const sentence = text?.endsWith('.') ? text : `${text}.`;
      const [, ...parts] = summary.split(sentence);
      if (text !== undefined && !/^($| )/.test(parts[0] ?? '.'))
        throw new Error(`the summary lacks the sentence ${sentence} ${summary}`);
    }
    return texts;
  },
};

const toParameter = (asOf: string | undefined) => (asOf === undefined ? '' : `&as_of=${asOf}`);
const toFlowId = (dataset: string) => dataset.toUpperCase().replaceAll('-', '_');

function find(list: readonly Named[], name: string): Record<string, string | null> {
  const entry = list.find((each) => each.name === name);
  if (!entry) throw new Error(`${name} is not there`);
  return entry as unknown as Record<string, string | null>;
}

const toTexts = ({ source, licence }: Record<string, string | null>): Texts => ({
  source: source ?? undefined,
  licence: licence ?? undefined,
});

async function getText(
  { address }: TestServer,
  target: string,
  asOf: string | undefined,
  accept = '*/*',
): Promise<string> {
  const parameter = asOf === undefined ? '' : `?as_of=${asOf}`;
  const response = await fetch(address + target + parameter, {
    headers: { Authorization: `Bearer ${TOKEN}`, Accept: accept },
  });
  return response.text();
}
