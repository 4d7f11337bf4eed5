import { ARTEFACT_KINDS, type ArtefactKind } from '../../sdmx/artefacts.ts';
import { VERSION } from '../../sdmx/flow.ts';

/** The versions of REST by the segment of their addresses. */
type ApiVersion = '2.1' | '2';

interface SharedAddress {
  readonly api: ApiVersion;
  /** The revision or instant in the path. */
  readonly asOf?: string | undefined;
}

export interface StructureAddress extends SharedAddress {
  readonly resource: 'structure';
  readonly kinds: readonly ArtefactKind[];
  /** All if undefined. */
  readonly agencies: readonly string[] | undefined;
  readonly ids: readonly string[] | undefined;
  readonly items: readonly string[] | undefined;
}

export interface DataAddress extends SharedAddress {
  readonly resource: 'data';
  readonly agencies: readonly string[] | undefined;
  /** Undefined if any is meant. */
  readonly flow: string | undefined;
  /** Undefined if all are meant. */
  readonly key: string | undefined;
}

/** The address of a request, by its path below `/sdmx/`; undefined if it is none. */
export function parseAddress(path: string): StructureAddress | DataAddress | undefined {
  const segments = decodeSegments(path);
  if (!segments) return undefined;
  const [api, ...rest] = segments;
  if (api !== '2.1' && api !== '2') return undefined;
  const [asOf, names] = rest[0] === 'as-of' ? [rest[1], rest.slice(2)] : [undefined, rest];
  if (rest[0] === 'as-of' && asOf === undefined) return undefined;
  const address = api === '2.1' ? parseFirst(names) : parseSecond(names);
  return address && { api, asOf, ...address };
}

/** A slash at the end is left out, as some clients send it. */
function decodeSegments(path: string): string[] | undefined {
  const segments = path.replace(/\/$/, '').split('/').slice(2);
  try {
    const decoded = segments.map(decodeURIComponent);
    return decoded.some((segment) => segment === '' || segment.includes('\0'))
      ? undefined
      : decoded;
  } catch {
    return undefined;
  }
}

type Address = Omit<StructureAddress, 'api'> | Omit<DataAddress, 'api'>;

/** REST 1.5: `data/{flow}/{key}/{provider}` and `{kind}/{agency}/{id}/{version}/{item}`. */
function parseFirst([resource, ...names]: readonly string[]): Address | undefined {
  if (resource === 'data') {
    const [reference = '', key, provider, ...more] = names;
    if (more.length > 0 || (provider !== undefined && provider !== 'all')) return undefined;
    return parseReference(reference, key);
  }
  const kinds = resource === 'structure' ? ARTEFACT_KINDS : findKinds(resource);
  return kinds && parseArtefacts(kinds, names);
}

/** `id`, `agency,id` or `agency,id,version`. */
function parseReference(reference: string, key: string | undefined): Address | undefined {
  const parts = reference.split(',');
  const [version, id, agency] =
    parts.length === 3 ? parts.toReversed() : ['all', ...parts.toReversed()];
  if (!id || parts.length > 3 || !isAnyVersion(version)) return undefined;
  return { resource: 'data', agencies: splitNames(agency), flow: id, key: splitKey(key) };
}

/** REST 2.2: `data/{context}/{agency}/{id}/{version}/{key}` and `structure/{kind}/…`. */
function parseSecond([resource, first = '*', ...names]: readonly string[]): Address | undefined {
  if (resource === 'structure') {
    const kinds = first === '*' ? ARTEFACT_KINDS : findKinds(first);
    return kinds && parseArtefacts(kinds, names);
  }
  const [agency, id, version, key, ...more] = names;
  if (resource !== 'data' || more.length > 0 || !isAnyVersion(version)) return undefined;
  if (!['*', 'dataflow', 'datastructure'].includes(first)) return undefined;
  const [flow, ...others] = splitNames(id) ?? [];
  if (others.length > 0) return undefined;
  return { resource: 'data', agencies: splitNames(agency), flow, key: splitKey(key) };
}

function parseArtefacts(
  kinds: readonly ArtefactKind[],
  [agency, id, version, item, ...more]: readonly string[],
): Address | undefined {
  if (more.length > 0 || !isAnyVersion(version)) return undefined;
  return {
    resource: 'structure',
    kinds,
    // pandaSDMX leaves the id out, but not the version after it; no id is in small letters.
    ids: id === 'latest' ? undefined : splitNames(id),
    agencies: splitNames(agency),
    items: splitNames(item),
  };
}

function findKinds(name: string | undefined): readonly ArtefactKind[] | undefined {
  const kind = ARTEFACT_KINDS.find((each) => each === name);
  if (kind) return [kind];
  return name === 'organisationscheme' ? ['agencyscheme'] : undefined;
}

const ALL = ['all', '*'];

/** Names with `+` or commas between them; undefined if all are meant. */
function splitNames(text: string | undefined): string[] | undefined {
  return text === undefined || ALL.includes(text) ? undefined : text.split(/[+,]/);
}

function splitKey(text: string | undefined): string | undefined {
  return text !== undefined && ALL.includes(text) ? undefined : text;
}

const VERSIONS = [...ALL, 'latest', '+', '~', VERSION, `${VERSION}+`, `${VERSION}.0`];

/** Whether a version is the one that everything has. */
function isAnyVersion(text: string | undefined): boolean {
  return text === undefined || VERSIONS.includes(text);
}
