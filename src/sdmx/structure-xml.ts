import type { Artefact, ArtefactKind } from './artefacts.ts';
import { type Code, type CodeList, type Flow, VERSION } from './flow.ts';
import {
  escapeXml,
  formatAttributes,
  formatXmlHeader,
  type MessageHeader,
  SCHEMAS,
  XML_DECLARATION,
} from './xml.ts';

/** The parts of a structure message of SDMX-ML 2.1. */
export function* writeStructureXml(
  header: MessageHeader,
  artefacts: readonly Artefact[],
): Generator<string> {
  yield `${XML_DECLARATION}<mes:Structure xmlns:mes="${SCHEMAS}/message" xmlns:str="${SCHEMAS}/structure" xmlns:com="${SCHEMAS}/common">${formatXmlHeader(header)}<mes:Structures>`;
  let open: ArtefactKind | undefined;
  for (const artefact of artefacts) {
    if (artefact.kind !== open) {
      if (open) yield `</str:${GROUPS[open]}>`;
      yield `<str:${GROUPS[artefact.kind]}>`;
      open = artefact.kind;
    }
    yield writeArtefact(artefact);
  }
  if (open) yield `</str:${GROUPS[open]}>`;
  yield '</mes:Structures></mes:Structure>\n';
}

const GROUPS: Readonly<Record<ArtefactKind, string>> = {
  agencyscheme: 'OrganisationSchemes',
  dataflow: 'Dataflows',
  codelist: 'Codelists',
  conceptscheme: 'Concepts',
  datastructure: 'DataStructures',
};

/** The package and class of each kind in URNs. */
export const CLASSES: Readonly<
  Record<ArtefactKind, readonly [name: string, item: string, pack: string]>
> = {
  agencyscheme: ['AgencyScheme', 'Agency', 'base'],
  dataflow: ['Dataflow', '', 'datastructure'],
  codelist: ['Codelist', 'Code', 'codelist'],
  conceptscheme: ['ConceptScheme', 'Concept', 'conceptscheme'],
  datastructure: ['DataStructure', '', 'datastructure'],
};

export function formatUrn(
  { kind, agency, id }: Pick<Artefact, 'kind' | 'agency' | 'id'>,
  item?: string,
): string {
  const [name, itemName, pack] = CLASSES[kind];
  const of = `${agency}:${id}(${VERSION})`;
  const end = item === undefined ? `${name}=${of}` : `${itemName}=${of}.${item}`;
  return `urn:sdmx:org.sdmx.infomodel.${pack}.${end}`;
}

function writeArtefact(artefact: Artefact): string {
  const { kind, agency, id, isStub } = artefact;
  const [name, item] = CLASSES[kind];
  const urn = formatUrn(artefact);
  const stub = isStub ? { isExternalReference: 'true' } : {};
  const attributes = { id, urn, agencyID: agency, version: VERSION, ...stub };
  const content = isStub
    ? ''
    : 'items' in artefact
      ? writeItems(artefact, item)
      : writeFlow(artefact);
  return `<str:${name}${formatAttributes(attributes)}>${writeAnnotations(artefact)}${writeNames(artefact)}${content}</str:${name}>`;
}

function writeAnnotations({ annotations = [] }: Artefact): string {
  const list = annotations.map(
    ({ id, text }) =>
      `<com:Annotation id="${id}"><com:AnnotationType>${id}</com:AnnotationType><com:AnnotationText xml:lang="en">${escapeXml(text)}</com:AnnotationText></com:Annotation>`,
  );
  return list.length === 0 ? '' : `<com:Annotations>${list.join('')}</com:Annotations>`;
}

function writeNames({ name, description }: Pick<Code, 'name' | 'description'>): string {
  const described =
    description === undefined
      ? ''
      : `<com:Description xml:lang="en">${escapeXml(description)}</com:Description>`;
  return `<com:Name xml:lang="en">${escapeXml(name)}</com:Name>${described}`;
}

function writeItems(artefact: Extract<Artefact, { items: unknown }>, element: string): string {
  return artefact.items
    .map((item) => {
      const attributes = formatAttributes({ id: item.id, urn: formatUrn(artefact, item.id) });
      return `<str:${element}${attributes}>${writeNames(item)}</str:${element}>`;
    })
    .join('');
}

function writeFlow({ kind, flow }: Extract<Artefact, { flow: unknown }>): string {
  if (kind === 'datastructure') return writeComponents(flow);
  return `<str:Structure><Ref${formatAttributes({
    id: flow.id,
    version: VERSION,
    agencyID: flow.agency,
    package: 'datastructure',
    class: 'DataStructure',
  })}/></str:Structure>`;
}

function writeComponents(flow: Flow): string {
  const { dimensions, attributes } = flow;
  const identify = (id: string) =>
    `<str:ConceptIdentity><Ref${formatAttributes({
      id,
      maintainableParentID: flow.id,
      maintainableParentVersion: VERSION,
      agencyID: flow.agency,
      package: 'conceptscheme',
      class: 'Concept',
    })}/></str:ConceptIdentity>`;
  const represent = (codeList: CodeList | undefined, type: string) =>
    codeList
      ? `<str:LocalRepresentation><str:Enumeration><Ref${formatAttributes({
          id: codeList.id,
          version: VERSION,
          agencyID: flow.agency,
          package: 'codelist',
          class: 'Codelist',
        })}/></str:Enumeration></str:LocalRepresentation>`
      : `<str:LocalRepresentation><str:TextFormat textType="${type}"/></str:LocalRepresentation>`;
  const list = dimensions.map(
    ({ id, codeList }, index) =>
      `<str:Dimension${formatAttributes({ id, position: index + 1 })}>${identify(id)}${represent(codeList, 'String')}</str:Dimension>`,
  );
  const ofSeries = dimensions.map(({ id }) => `<str:Dimension><Ref id="${id}"/></str:Dimension>`);
  const attributeList = attributes.map(
    ({ id, isOfObservation, isMandatory, codeList, type }) =>
      `<str:Attribute${formatAttributes({
        id,
        assignmentStatus: isMandatory ? 'Mandatory' : 'Conditional',
      })}>${identify(id)}${represent(codeList, type)}<str:AttributeRelationship>${
        isOfObservation
          ? '<str:PrimaryMeasure><Ref id="OBS_VALUE"/></str:PrimaryMeasure>'
          : ofSeries.join('')
      }</str:AttributeRelationship></str:Attribute>`,
  );
  return `<str:DataStructureComponents><str:DimensionList id="DimensionDescriptor">${list.join('')}<str:TimeDimension${formatAttributes(
    { id: 'TIME_PERIOD', position: dimensions.length + 1 },
  )}>${identify('TIME_PERIOD')}${represent(undefined, 'ObservationalTimePeriod')}</str:TimeDimension></str:DimensionList><str:AttributeList id="AttributeDescriptor">${attributeList.join('')}</str:AttributeList><str:MeasureList id="MeasureDescriptor"><str:PrimaryMeasure id="OBS_VALUE">${identify('OBS_VALUE')}${represent(undefined, 'Double')}</str:PrimaryMeasure></str:MeasureList></str:DataStructureComponents>`;
}
