import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from '../catalogue/model/declaration.ts';
import { InvalidFileError } from '../formats/file-contents.ts';
import { isPlainObject } from '../shared/is-plain-object.ts';
import { toField, toName } from './identifiers.ts';
import { FREQUENCIES } from './time-period.ts';
import { findElements, readXmlTree, type XmlElement } from './xml-tree.ts';

/** What a declaration needs of a structure message, whatever its format. */
interface Structures {
  readonly flows: readonly (Named & { readonly structure: string })[];
  readonly structures: ReadonlyMap<string, Structure>;
  /** The names of codes by their ids. */
  readonly codeLists: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly concepts: ReadonlyMap<string, string>;
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
}

interface Structure extends Named {
  readonly dimensions: readonly Component[];
  readonly attributes: readonly string[];
}

interface Component {
  readonly id: string;
  readonly concept: string;
  readonly codeList: string | undefined;
}

/** Stands for what a message does not say; no declaration with it is published. */
const UNKNOWN = '?';
const MAX_MEASURES = 40;

/** Whether a text may be a structure message of SDMX, rather than a declaration. */
export function isStructureMessage(text: string): boolean {
  return /^\s*(?:<|\{\s*"(?:meta|data)"\s*:)/.test(text);
}

/**
 * A declaration for each dataflow of a structure message of SDMX-ML 2.1 and 3.0 or SDMX-JSON 2.0, or for each
 * data structure if it has no dataflow. Throws a SyntaxError or an InvalidFileError.
 */
export function readStructureMessage(text: string): object[] {
  const message = text.trimStart().startsWith('<') ? readXml(text) : readJson(text);
  const { flows, structures } = message;
  const all =
    flows.length > 0
      ? flows
      : [...structures.values()].map((each) => ({ ...each, structure: each.id }));
  const declarations = all.flatMap((flow) => {
    const structure = structures.get(flow.structure);
    return structure ? createDeclaration(flow, structure, message) : [];
  });
  if (declarations.length === 0) throw new InvalidFileError('has no data structure of SDMX');
  return declarations;
}

function createDeclaration(
  { id, name, description }: Named,
  { dimensions, attributes }: Structure,
  { codeLists, concepts }: Structures,
): object {
  const frequency = dimensions.find(({ id: dimension }) => /^FREQ(UENCY)?$/i.test(dimension));
  const measure = dimensions.find((each) => each.id === 'MEASURE');
  const measureCodes = codeLists.get(measure?.codeList ?? '') ?? new Map<string, string>();
  const hasMeasures = measureCodes.size > 0 && measureCodes.size <= MAX_MEASURES;
  const others = dimensions.filter(
    (each) => each !== frequency && !(hasMeasures && each === measure),
  );
  const figures = hasMeasures ? [...measureCodes] : [['value', 'Value'] as const];
  return {
    name: toName(id),
    title: shorten(name),
    ...(description !== undefined && { description: shorten(description, MAX_DESCRIPTION_LENGTH) }),
    period: {
      kind: findPeriodKind(codeLists.get(frequency?.codeList ?? '')),
      field: 'time_period',
    },
    dimensions: others.map((dimension) => {
      const codes = codeLists.get(dimension.codeList ?? '');
      return {
        field: toField(dimension.id),
        title: shorten(concepts.get(dimension.concept) ?? dimension.id),
        ...(codes && codes.size > 0 && { codes: Object.fromEntries(shortenAll(codes)) }),
      };
    }),
    measures: figures.map(([code, title]) => ({
      field: toField(code),
      title: shorten(title),
      unit: UNKNOWN,
      kind: UNKNOWN,
    })),
    ...(attributes.includes('OBS_STATUS') && { status: true }),
  };
}

/** A text that a declaration takes: agencies have names of codes with a thousand characters. */
function shorten(text: string, limit = MAX_TITLE_LENGTH): string {
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}

const shortenAll = (names: ReadonlyMap<string, string>) =>
  Array.from(names, ([id, name]) => [id, shorten(name)] as const);

/** Known only if the list has a single frequency. */
function findPeriodKind(codes: ReadonlyMap<string, string> | undefined): string {
  const [only, ...others] = codes?.keys() ?? [];
  const found = Object.entries(FREQUENCIES).find(([, { id }]) => id === only);
  return found && others.length === 0 ? found[0] : UNKNOWN;
}

function readXml(text: string): Structures {
  const root = readXmlTree(text);
  const list = (name: string) =>
    findElements(root, name).filter(({ attributes }) => attributes.has('agencyID'));
  const readStructure = (element: XmlElement): Structure => {
    const readComponents = (name: string) =>
      findElements(element, name)
        .filter(({ attributes }) => attributes.has('id'))
        .map((component) => ({
          id: getId(component),
          concept: readReference(component, 'ConceptIdentity') ?? '',
          codeList: readReference(component, 'Enumeration'),
        }));
    return {
      ...readNames(element),
      dimensions: [...readComponents('Dimension'), ...readComponents('MeasureDimension')],
      attributes: readComponents('Attribute').map(({ id }) => id),
    };
  };
  const readItems = (element: XmlElement, name: string) =>
    findElements(element, name).map((item) => [getId(item), readNames(item).name] as const);
  return {
    flows: list('Dataflow').map((flow) => ({
      ...readNames(flow),
      structure: readReference(flow, 'Structure') ?? '',
    })),
    structures: new Map(list('DataStructure').map((each) => [getId(each), readStructure(each)])),
    codeLists: new Map(
      list('Codelist').map((each) => [getId(each), new Map(readItems(each, 'Code'))]),
    ),
    concepts: new Map(list('ConceptScheme').flatMap((each) => readItems(each, 'Concept'))),
  };
}

const getId = ({ attributes }: XmlElement) => attributes.get('id') ?? '';

/** In English if there is such a name. */
function readNames(element: XmlElement): Named {
  const read = (name: string) => {
    const texts = element.children.filter((child) => child.name === name);
    const english = texts.find(({ attributes }) => attributes.get('xml:lang') === 'en');
    return (english ?? texts[0])?.text.trim();
  };
  const id = getId(element);
  return { id, name: read('Name') || id, description: read('Description') || undefined };
}

/** The id that a child refers to, by a `Ref` or, in SDMX-ML 3.0 as its text, a URN. */
function readReference(element: XmlElement, name: string): string | undefined {
  const [child] = findElements(element, name);
  if (!child) return undefined;
  const [reference] = findElements(child, 'Ref');
  return reference ? getId(reference) : getIdOfUrn((findElements(child, 'URN')[0] ?? child).text);
}

/** The last id of a URN: of an artefact, or of an item in it. */
function getIdOfUrn(urn: unknown): string | undefined {
  return /[:.]([^:.()]+)(?:\([^()]*\))?$/.exec(String(urn ?? '').trim())?.[1];
}

function readJson(text: string): Structures {
  const { data } = JSON.parse(text) as { data?: unknown };
  const lists: JsonObject = isPlainObject(data) ? data : {};
  const readComponents = (value: unknown) =>
    listObjects(value).map((component) => {
      const { localRepresentation } = component;
      const { enumeration } = isPlainObject(localRepresentation) ? localRepresentation : {};
      return {
        id: String(component.id),
        concept: getIdOfUrn(component.conceptIdentity) ?? '',
        codeList: getIdOfUrn(enumeration),
      };
    });
  const readStructure = (structure: JsonObject): Structure => {
    const { dataStructureComponents: components } = structure;
    const { dimensionList, attributeList } = isPlainObject(components) ? components : {};
    const { dimensions } = isPlainObject(dimensionList) ? dimensionList : {};
    const { attributes } = isPlainObject(attributeList) ? attributeList : {};
    return {
      ...describeObject(structure),
      dimensions: readComponents(dimensions),
      attributes: readComponents(attributes).map(({ id }) => id),
    };
  };
  const readItems = (value: unknown) =>
    listObjects(value).map((item) => [String(item.id), describeObject(item).name] as const);
  return {
    flows: listObjects(lists.dataflows).map((flow) => ({
      ...describeObject(flow),
      structure: getIdOfUrn(flow.structure) ?? '',
    })),
    structures: new Map(
      listObjects(lists.dataStructures).map((each) => [String(each.id), readStructure(each)]),
    ),
    codeLists: new Map(
      listObjects(lists.codelists).map((each) => [String(each.id), new Map(readItems(each.codes))]),
    ),
    concepts: new Map(
      listObjects(lists.conceptSchemes).flatMap(({ concepts }) => readItems(concepts)),
    ),
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

function listObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}

function describeObject({ id, name, names, description, descriptions }: JsonObject): Named {
  const choose = (text: unknown, texts: unknown) => {
    const { en, ...others } = isPlainObject(texts) ? texts : {};
    return [text, en, ...Object.values(others)].find((each) => typeof each === 'string');
  };
  return {
    id: String(id),
    name: (choose(name, names) as string | undefined) ?? String(id),
    description: choose(description, descriptions) as string | undefined,
  };
}
