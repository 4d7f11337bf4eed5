import type { Artefact, ArtefactKind } from './artefacts.ts';
import { type Attribute, type CodeList, type Flow, VERSION } from './flow.ts';
import { formatUrn } from './structure-xml.ts';
import type { MessageHeader } from './xml.ts';

const LISTS: Readonly<Record<ArtefactKind, readonly [list: string, items: string]>> = {
  agencyscheme: ['agencySchemes', 'agencies'],
  dataflow: ['dataflows', ''],
  codelist: ['codelists', 'codes'],
  conceptscheme: ['conceptSchemes', 'concepts'],
  datastructure: ['dataStructures', ''],
};

export function* writeStructureJson(
  { id, prepared, sender }: MessageHeader,
  artefacts: readonly Artefact[],
): Generator<string> {
  const data: Record<string, object[]> = {};
  for (const artefact of artefacts) {
    const [list] = LISTS[artefact.kind];
    data[list] ??= [];
    data[list].push(describeArtefact(artefact));
  }
  yield JSON.stringify({
    meta: {
      schema: SCHEMA,
      id,
      prepared,
      test: false,
      contentLanguages: ['en'],
      sender: { id: sender },
    },
    data,
  });
}

const SCHEMA =
  'https://raw.githubusercontent.com/sdmx-twg/sdmx-json/master/structure-message/tools/schemas/2.0.0/sdmx-json-structure-schema.json';

function describeArtefact(artefact: Artefact): object {
  const { kind, id, agency, name, description, annotations, isStub } = artefact;
  return {
    id,
    agencyID: agency,
    version: VERSION,
    ...describeNames({ name, description }),
    ...(annotations && {
      annotations: annotations.map(({ id, text }) => ({ id, type: id, text, texts: { en: text } })),
    }),
    ...(isStub ? { isExternalReference: true } : describeContent(artefact)),
    links: [{ rel: 'self', urn: formatUrn(artefact), type: kind }],
  };
}

function describeNames({ name, description }: { name: string; description?: string | undefined }) {
  return {
    name,
    names: { en: name },
    ...(description !== undefined && { description, descriptions: { en: description } }),
  };
}

function describeContent(artefact: Artefact): object {
  if ('items' in artefact) {
    const [, items] = LISTS[artefact.kind];
    return { [items]: artefact.items.map(({ id, ...names }) => ({ id, ...describeNames(names) })) };
  }
  const { kind, flow } = artefact;
  if (kind === 'datastructure') return { dataStructureComponents: describeComponents(flow) };
  return { structure: formatUrn({ ...flow, kind: 'datastructure' }) };
}

function describeComponents(flow: Flow): object {
  const { agency, dimensions, attributes } = flow;
  const describe = (id: string, codeList: CodeList | undefined, dataType: string) => ({
    id,
    conceptIdentity: formatUrn({ kind: 'conceptscheme', agency, id: flow.id }, id),
    localRepresentation: codeList
      ? { enumeration: formatUrn({ kind: 'codelist', agency, id: codeList.id }) }
      : { format: { dataType } },
  });
  const relate = ({ isOfObservation }: Attribute) =>
    isOfObservation ? { observation: {} } : { dimensions: dimensions.map(({ id }) => id) };
  return {
    dimensionList: {
      id: 'DimensionDescriptor',
      dimensions: dimensions.map(({ id, codeList }, index) => ({
        ...describe(id, codeList, 'String'),
        position: index,
      })),
      timeDimension: describe('TIME_PERIOD', undefined, 'ObservationalTimePeriod'),
    },
    attributeList: {
      id: 'AttributeDescriptor',
      attributes: attributes.map((attribute) => ({
        ...describe(attribute.id, attribute.codeList, attribute.type),
        usage: attribute.isMandatory ? 'mandatory' : 'optional',
        attributeRelationship: relate(attribute),
      })),
    },
    measureList: {
      id: 'MeasureDescriptor',
      measures: [{ ...describe('OBS_VALUE', undefined, 'Double'), usage: 'optional' }],
    },
  };
}
