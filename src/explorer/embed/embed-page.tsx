import { useEffect, useMemo, useState } from 'preact/hooks';
import { catalogue } from '../../catalogue/index.ts';
import { buildCatalogueEntry } from '../../catalogue/model/catalogue-entry.ts';
import type { ApiClient } from '../api/api-client.ts';
import { BROWSER_TAB } from '../api/browser-tab.ts';
import { ExplorerContext, type ExplorerState } from '../api/explorer-context.ts';
import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import { EmptyState, LoadingState } from '../components/panel.tsx';
import { parseFigureReferences } from '../datasets/series-comparison.ts';
import { useViewRoute, type ViewRoute } from '../routing/view-route.tsx';
import { readDeclaredEntries } from './declared-entry.ts';
import { EmbeddedChart } from './embedded-charts.tsx';
import {
  type LinkedData,
  type LinkResponses,
  type LinksState,
  parseSecrets,
  readLinks,
  sortLinkedData,
} from './read-links.ts';

/** A single chart, from the links in the fragment of the URL. */
export function EmbedPage() {
  const { params } = useViewRoute();
  const { responses, problem } = useLinks();
  const entries = useEntries(params);
  const title = params.title ?? 'Chart';
  useEffect(() => {
    document.title = `${title} · Tenor`;
    if (params.theme) document.documentElement.dataset.theme = params.theme;
  }, [title, params.theme]);
  return (
    <main>
      <h1>{title}</h1>
      {problem !== undefined && (
        <p class="notice service-down" role="alert">
          {problem}
        </p>
      )}
      {SECRETS.length === 0 && (
        <EmptyState title="There is no link to read the data from">
          The address of this page must end in <code>#link=</code> and the secret of a link, which{' '}
          <code>tenor link create</code> prints.
        </EmptyState>
      )}
      {responses && entries && <LinkedChart responses={responses} entries={entries} />}
      {SECRETS.length > 0 && !(responses && entries) && problem === undefined && (
        <LoadingState subject="the chart" />
      )}
    </main>
  );
}

function LinkedChart(props: { responses: LinkResponses; entries: readonly DatasetEntry[] }) {
  const { responses, entries } = props;
  const { data, revision, isCut } = responses;
  const { params } = useViewRoute();
  const linked = useMemo(() => sortLinkedData(data), [data]);
  const state = useMemo(() => createState(linked), [linked]);
  return (
    <ExplorerContext.Provider value={{ ...state, revision }}>
      <EmbeddedChart entries={entries} linked={linked} />
      <p class="help">
        Tenor, {BROWSER_TAB.baseUrl.host}, revision {revision}
        {params.sample !== undefined && '; sample data, made up'}
        {isCut && '; more records match than the link serves'}
      </p>
    </ExplorerContext.Provider>
  );
}

/** The entries that ship with the service, and those of shown series that do not. */
function useEntries({ series = '', compare }: ViewRoute['params']) {
  const shown = [series, ...parseFigureReferences(compare).map((each) => each.series)];
  const unknown = shown.filter((name) => name && ENTRIES.every((entry) => entry.name !== name));
  const [entries, setEntries] = useState<readonly DatasetEntry[]>();
  useEffect(() => {
    if (unknown.length === 0) return;
    readDeclaredEntries(BROWSER_TAB.baseUrl, unknown).then(
      (declared) => setEntries([...ENTRIES, ...declared]),
      () => setEntries(ENTRIES),
    );
  }, [unknown.join()]);
  return unknown.length === 0 ? ENTRIES : entries;
}

/** Catalogue entries from the declarations alone, without what depends on the data. */
const ENTRIES = catalogue.map(
  (dataset) =>
    ({
      ...buildCatalogueEntry(dataset),
      key: dataset.period ? [dataset.period.field] : [],
      coverage: { count: 0, first: null, last: null },
      lastRevision: null,
      nextDue: null,
    }) as unknown as DatasetEntry,
);

/** The state that panels read in addition to their data: the table of compared series. */
function createState({ records }: LinkedData): ExplorerState {
  const readLinked = async ({ path }: ApiRequest) => ({
    data: path === '/aligned' ? records : [],
    meta: {},
  });
  return {
    api: { tab: BROWSER_TAB, asOf: undefined, read: readLinked } as unknown as ApiClient,
    catalogue: ENTRIES,
    revision: 0,
    revisions: [],
    hasOlder: false,
    firstRevisions: [],
    refreshCount: 0,
    reportFailure() {},
  };
}

const SECRETS = parseSecrets(location.hash);

const REFRESH_INTERVAL_MS = 60_000;
const RETRY_INTERVAL_MS = 10_000;

/** Reads the links every minute. The last responses stay while the service is unreachable. */
function useLinks(): LinksState {
  const [state, setState] = useState<LinksState>({});
  useEffect(() => {
    const load = async (isVisible: boolean) => {
      const result = isVisible
        ? await readLinks(BROWSER_TAB.baseUrl, SECRETS)
        : { isTransient: true };
      setState((previous) => (result.isTransient ? { ...previous, ...result } : result));
      const delayMs = result.isTransient ? RETRY_INTERVAL_MS : REFRESH_INTERVAL_MS;
      setTimeout(() => load(!document.hidden), delayMs);
    };
    if (SECRETS.length > 0) load(true);
  }, []);
  return state;
}
