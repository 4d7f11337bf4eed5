import { splitColumns } from '../api/aligned.ts';
import type { LoadedState } from '../api/read-state.ts';
import type { ApiRequest, DatasetEntry, RevisionEntry } from '../api/types.ts';
import type { ViewName } from '../routing/views.ts';

type Catalogue = readonly DatasetEntry[];

/** The datasets that figures come from; undefined for what tells of the whole service. */
export type CitedDatasets = Catalogue | undefined;

interface ShownView {
  readonly view: ViewName;
  readonly params: Readonly<Record<string, string>>;
}

/** The datasets of responses, and of a view if a panel has no request of its own. */
export function listCitedDatasets(
  requests: readonly ApiRequest[] | undefined,
  route: ShownView,
  catalogue: Catalogue,
): CitedDatasets {
  if (!requests) return listViewDatasets(route, catalogue);
  const lists = requests.map((request) => listRequestDatasets(request, catalogue));
  return lists.every((list) => list !== undefined) ? [...new Set(lists.flat())] : undefined;
}

/** The datasets that a view shows: those that its parameters name, or all that it has. */
export function listViewDatasets({ view, params }: ShownView, catalogue: Catalogue): CitedDatasets {
  const shape = VIEW_SHAPES[view];
  if (shape === undefined) return undefined;
  if (shape !== 'series') return listFamily(shape, catalogue);
  const names = [...(params.series ? [params.series] : []), ...listNames(params.compare ?? '')];
  if (names.length > 0) return listNamed(names, catalogue);
  return catalogue.filter((entry) => entry.shape === shape);
}

const VIEW_SHAPES: Readonly<Record<ViewName, DatasetEntry['shape'] | undefined>> = {
  market: 'quotes',
  security: 'quotes',
  portfolio: 'quotes',
  funds: 'fund',
  payments: 'series',
  ledger: undefined,
};

function listRequestDatasets(
  { path, parameters }: ApiRequest,
  catalogue: Catalogue,
): CitedDatasets {
  const own = catalogue.filter((entry) => entry.path === path || entry.aliases.includes(path));
  if (own.length > 0) return own;
  const [, name] = /^\/(?:datasets|corrections|vintages)\/(.+)$/.exec(path) ?? [];
  if (name !== undefined) return listNamed([name], catalogue);
  if (path.startsWith('/2.0/bnb/')) return listFamily('quotes', catalogue);
  if (path !== '/aligned') return undefined;
  return listNamed(listNames(String(parameters?.columns ?? '')), catalogue);
}

/** The names before the figures of columns, and of compared series. */
const listNames = (text: string) => splitColumns(text).map((each) => each.replace(/[.~].*$/s, ''));

function listNamed(names: readonly string[], catalogue: Catalogue): Catalogue {
  const named = catalogue.filter((entry) => names.includes(entry.name));
  const isComputed = COMPUTED.some((name) => names.includes(name));
  return isComputed ? [...new Set([...named, ...listFamily('quotes', catalogue)])] : named;
}

/** What is compared beside datasets: figures that are computed from quotes. */
const COMPUTED = ['curve', 'analytics'];

/** The datasets of a shape, and the reference data that belongs to them. */
function listFamily(shape: DatasetEntry['shape'], catalogue: Catalogue): Catalogue {
  const scopes = catalogue.filter((entry) => entry.shape === shape).map(({ scope }) => scope);
  return catalogue.filter(
    (entry) =>
      entry.shape === shape || (entry.shape === 'reference' && scopes.includes(entry.scope)),
  );
}

/** The last revision of datasets; undefined if they are empty. */
export function findCitedRevision(
  { revisions }: Pick<LoadedState, 'revisions'>,
  datasets: CitedDatasets,
): Pick<RevisionEntry, 'revision' | 'publishedAt'> | undefined {
  if (!datasets) return revisions[0];
  const changes = datasets.flatMap(({ lastRevision }) => lastRevision ?? []);
  return changes.toSorted((a, b) => b.revision - a.revision)[0];
}

/** Whether none of what datasets hold is sample data, some of it may be, or all of it is. */
export function findSampleShare(
  {
    revisions,
    firstRevisions,
    hasOlder,
  }: Pick<LoadedState, 'revisions' | 'firstRevisions' | 'hasOlder'>,
  datasets: CitedDatasets,
): 'none' | 'some' | 'all' {
  const names = datasets && new Set(datasets.map(({ name }) => name));
  const changes = [
    ...[...revisions, ...firstRevisions].filter(({ dataset }) => names?.has(dataset) ?? true),
    ...(datasets ?? []).flatMap(({ lastRevision }) => lastRevision ?? []),
  ];
  if (!changes.some(({ sample }) => sample)) return 'none';
  return !hasOlder && changes.every(({ sample }) => sample) ? 'all' : 'some';
}
