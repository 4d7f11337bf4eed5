import type { Code, CodeList, Flow } from './flow.ts';

/** The kinds of artefacts, in the order of the schema of messages. */
export const ARTEFACT_KINDS = [
  'agencyscheme',
  'dataflow',
  'codelist',
  'conceptscheme',
  'datastructure',
] as const;
export type ArtefactKind = (typeof ARTEFACT_KINDS)[number];

interface NamedArtefact {
  readonly id: string;
  readonly agency: string;
  readonly name: string;
  readonly description?: string;
  readonly annotations?: readonly Annotation[];
  /** Whether only its name is sent. */
  readonly isStub?: boolean;
}

export const ANNOTATION_IDS = ['SOURCE', 'LICENCE'] as const;

/** A text that SDMX has no element for. */
interface Annotation {
  readonly id: (typeof ANNOTATION_IDS)[number];
  readonly text: string;
}

/** A part of a structure message. */
export type Artefact = NamedArtefact &
  (
    | {
        readonly kind: 'agencyscheme' | 'codelist' | 'conceptscheme';
        readonly items: readonly Code[];
      }
    | { readonly kind: 'dataflow' | 'datastructure'; readonly flow: Flow }
  );

export const STRUCTURE_DETAILS = [
  'full',
  'allstubs',
  'referencestubs',
  'allcompletestubs',
  'referencecompletestubs',
  'referencepartial',
  'raw',
] as const;

const RELATION_NAMES = [
  'none',
  'parents',
  'ancestors',
  'parentsandsiblings',
  'children',
  'descendants',
  'all',
] as const;
export const REFERENCES = [...RELATION_NAMES, ...ARTEFACT_KINDS] as const;

/** The artefacts of a request: a kind, ids and an item of them; all if absent. */
export interface StructureQuery {
  readonly kinds: readonly ArtefactKind[];
  readonly agencies?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly items?: readonly string[] | undefined;
  readonly references: (typeof REFERENCES)[number];
  readonly detail: (typeof STRUCTURE_DETAILS)[number];
}

/** The artefacts that a query selects, with those that they refer to; each once, by kind. */
export function selectArtefacts(
  flows: readonly Flow[],
  agency: string,
  { kinds, agencies, ids, items, references, detail }: StructureQuery,
): Artefact[] {
  const selected = new Map<string, Artefact>();
  const referenced = new Map<string, Artefact>();
  const isSelected = (artefact: Artefact) =>
    kinds.includes(artefact.kind) &&
    (!agencies || agencies.includes(artefact.agency)) &&
    (!ids || ids.includes(artefact.id));
  const agencyScheme = buildAgencyScheme(agency);
  if (isSelected(agencyScheme)) selected.set(toKey(agencyScheme), agencyScheme);
  for (const flow of flows) {
    const artefacts = listArtefacts(flow);
    const chosen = artefacts.filter(isSelected);
    for (const artefact of chosen) {
      selected.set(toKey(artefact), artefact);
      const related = findRelated(artefact.kind, references);
      for (const other of artefacts)
        if (related.includes(other.kind)) referenced.set(toKey(other), other);
    }
  }
  const [stubs, referenceStubs] = [/^all.*stubs$/.test(detail), /stubs$/.test(detail)];
  const isComplete = detail.includes('complete');
  const all = [
    ...Array.from(selected.values(), (each) => limit(keepItems(each, items), stubs, isComplete)),
    ...[...referenced]
      .filter(([key]) => !selected.has(key))
      .map(([, each]) => limit(each, referenceStubs, isComplete)),
  ];
  return ARTEFACT_KINDS.flatMap((kind) => all.filter((each) => each.kind === kind));
}

const toKey = ({ kind, agency, id }: Artefact) => `${kind} ${agency} ${id}`;

/** The artefacts of a flow; code lists of other flows with the same id are the same. */
function listArtefacts(flow: Flow): Artefact[] {
  const { agency, id, dataset, dimensions, attributes } = flow;
  const { title: name, description } = dataset;
  const lists = [...dimensions, ...attributes].flatMap(({ codeList }) => codeList ?? []);
  return [
    { kind: 'dataflow', agency, id, name, description, flow },
    { kind: 'datastructure', agency, id, name, flow },
    { kind: 'conceptscheme', agency, id, name: `Concepts: ${name}`, items: listConcepts(flow) },
    ...lists.map((list) => buildCodeList(agency, list)),
  ];
}

function buildCodeList(agency: string, { id, name, codes }: CodeList): Artefact {
  return { kind: 'codelist', agency, id, name, items: codes };
}

function listConcepts({ dimensions, attributes }: Flow): Code[] {
  return [
    ...dimensions.map(({ id, title }) => ({ id, name: title })),
    { id: 'TIME_PERIOD', name: 'Time period' },
    { id: 'OBS_VALUE', name: 'Observation value' },
    ...attributes.map(({ id, title }) => ({ id, name: title })),
  ];
}

/** The scheme that the agency is in: of the agency above it, which is SDMX for most. */
function buildAgencyScheme(agency: string): Artefact {
  const end = agency.lastIndexOf('.');
  return {
    kind: 'agencyscheme',
    id: 'AGENCIES',
    name: 'Agencies',
    agency: end < 0 ? 'SDMX' : agency.slice(0, end),
    items: [{ id: agency.slice(end + 1), name: agency }],
  };
}

const LISTS = ['codelist', 'conceptscheme'] as const;
const STRUCTURES = ['datastructure', ...LISTS] as const;
const NO_RELATIONS = {
  none: [],
  parents: [],
  ancestors: [],
  parentsandsiblings: [],
  children: [],
  descendants: [],
  all: [],
};
const OF_LISTS = {
  ...NO_RELATIONS,
  parents: ['datastructure'],
  ancestors: ['datastructure', 'dataflow'],
  parentsandsiblings: STRUCTURES,
  all: ['dataflow', ...STRUCTURES],
} as const;

/** The other artefacts of its flow that each value of `references` adds to one. */
const RELATIONS: Readonly<
  Record<ArtefactKind, Readonly<Record<(typeof RELATION_NAMES)[number], readonly ArtefactKind[]>>>
> = {
  agencyscheme: NO_RELATIONS,
  dataflow: {
    ...NO_RELATIONS,
    children: ['datastructure'],
    descendants: STRUCTURES,
    all: STRUCTURES,
  },
  datastructure: {
    ...NO_RELATIONS,
    parents: ['dataflow'],
    ancestors: ['dataflow'],
    parentsandsiblings: ['dataflow'],
    children: LISTS,
    descendants: LISTS,
    all: ['dataflow', ...LISTS],
  },
  codelist: OF_LISTS,
  conceptscheme: OF_LISTS,
};

function findRelated(kind: ArtefactKind, references: StructureQuery['references']) {
  const relation = RELATION_NAMES.find((name) => name === references);
  return relation
    ? RELATIONS[kind][relation]
    : ARTEFACT_KINDS.filter((each) => each === references);
}

function keepItems(artefact: Artefact, items: readonly string[] | undefined): Artefact {
  if (!items || !('items' in artefact)) return artefact;
  return { ...artefact, items: artefact.items.filter(({ id }) => items.includes(id)) };
}

function limit(artefact: Artefact, isStub: boolean, isComplete: boolean): Artefact {
  if (!isStub) return artefact;
  const { description, ...others } = artefact;
  return { ...others, ...(isComplete && description !== undefined && { description }), isStub };
}
