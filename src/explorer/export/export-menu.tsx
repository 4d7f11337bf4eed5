import type { RefObject } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import { type ExplorerState, useExplorer } from '../api/explorer-context.ts';
import { toQueryFailure } from '../api/query-failure.ts';
import type { ApiRequest } from '../api/types.ts';
import { buildPicture, type Picture, renderPng, renderSvg } from '../charts/build-picture.ts';
import { type ChartSheet, formatChartCsv, mergeChartTables } from '../charts/chart-table.ts';
import { type ChartTableSources, ChartTablesContext } from '../charts/use-chart-tables.ts';
import { Button } from '../components/button.tsx';
import { Menu } from '../components/menu.tsx';
import { useViewRoute } from '../routing/view-route.tsx';
import { buildCitation } from './build-citation.ts';
import { buildPinnedUrl } from './build-pinned-url.ts';
import { describeSource } from './describe-source.ts';
import type { EmbedSource } from './embed-code.ts';
import { EmbedDialog } from './embed-dialog.tsx';
import {
  type CitedDatasets,
  findCitedRevision,
  findSampleShare,
  listCitedDatasets,
} from './list-cited-datasets.ts';

export interface ExportMenuProps {
  /** Without one, the menu offers no data of the service. */
  readonly request?: ApiRequest;
  /** Name of the downloaded files, without extension; without one there are no downloads. */
  readonly fileName?: string;
  /** The charts of the surrounding panel, with the title of their picture. */
  readonly chart?: {
    readonly title: string;
    /** The title of a frame, which stays up to date, if the other title contains today's dates. */
    readonly frameTitle?: string;
    /** The parameters of a frame, which only knows the data of its links. */
    readonly frameParams?: EmbedSource['params'];
  };
  /** The requests that the chart needs, if they differ from `request`. */
  readonly chartRequests?: readonly ApiRequest[] | undefined;
  /** The request for the table as shown: its columns, its order, and changes. */
  readonly shownRequest?: ApiRequest | undefined;
  /** Says what is exported, if it differs from what is on display. */
  readonly description?: string;
}

const DATA_FORMATS = ['csv', 'xlsx'] as const;

/** A menu to copy a link or a citation, and to download data, table and chart. */
export function ExportMenu(props: ExportMenuProps) {
  const { request, chart, description } = props;
  const state = useExplorer();
  const { status, attempt } = useStatus();
  const ref = useRef<HTMLSpanElement>(null);
  const charts = useContext(ChartTablesContext);
  const [isEmbedding, setEmbedding] = useState(false);
  const route = useViewRoute();
  const requests = props.chartRequests ?? (request && [request]);
  const datasets = listCitedDatasets(requests, route, state.catalogue);
  const source = chart &&
    requests && {
      requests,
      title: chart.frameTitle ?? chart.title,
      params: chart.frameParams,
      asOf: state.api.asOf,
      hasSample: findSampleShare(state, datasets) !== 'none',
    };
  const frameItem = { text: 'Frame for a page…', run: () => setEmbedding(true) };
  const items = [
    ...createCopyItems(props, state, datasets, attempt),
    ...(source ? [frameItem] : []),
    ...createSaveItems(props, state, attempt, {
      panel: ref,
      charts,
      origin: describeSource(state, datasets),
    }),
  ];
  return (
    <>
      <span class="status-message" role="status" ref={ref}>
        {status}
      </span>
      <Menu label="Share">
        {(close) => (
          <ul>
            {description && <li class="menu-hint muted">{description}</li>}
            {items.map(({ text, run }) => (
              <li key={text}>
                <Button
                  onClick={() => {
                    close();
                    run();
                  }}
                >
                  {text}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Menu>
      {source && isEmbedding && <EmbedDialog source={source} onClose={() => setEmbedding(false)} />}
    </>
  );
}

function createCopyItems(
  { chart }: ExportMenuProps,
  state: ExplorerState,
  datasets: CitedDatasets,
  attempt: Attempt,
) {
  const { host } = state.api.tab.baseUrl;
  const revision = findCitedRevision(state, datasets);
  const createItem = (text: string, label: string, getText: (url: string) => string) => ({
    text,
    run: attempt(`Copied ${label}`, () =>
      navigator.clipboard.writeText(getText(buildPinnedUrl(location.href, state))),
    ),
  });
  const pinned = `link, pinned to revision ${state.revision}`;
  const linkItem = createItem(`Copy ${pinned}`, `the ${pinned}`, (url) => url);
  if (!revision) return [linkItem];
  const title = chart?.title ?? document.title;
  const cite = (url: string) => buildCitation({ title, host, url, revision, accessed: new Date() });
  return [linkItem, createItem('Copy citation', 'the citation', cite)];
}

function createSaveItems(
  { request, fileName, shownRequest, chart }: ExportMenuProps,
  state: ExplorerState,
  attempt: Attempt,
  {
    panel,
    charts,
    origin,
  }: { panel: RefObject<Element | null>; charts: ChartTableSources | undefined; origin: string },
) {
  const { api } = state;
  if (fileName === undefined) return [];
  const suffix = api.asOf === undefined ? '' : `-as-of-${api.asOf.replaceAll(':', '')}`;
  const createItem = (text: string, name: string, createContent: () => Promise<Blob>) => ({
    text: `Download ${text}`,
    run: attempt(`Saved as ${text}`, async () => saveFile(await createContent(), name)),
  });
  const createDataItems = (source: ApiRequest, label: string, variant: string) =>
    DATA_FORMATS.map((format) => {
      const { mediaType, extension } = RESPONSE_FORMATS[format];
      const name = `${fileName}${variant}${suffix}.${extension}`;
      return createItem(format.toUpperCase() + label, name, async () =>
        readCompleteFile(await api.download(source, mediaType)),
      );
    });
  const createPictureItem = (format: string, render: (picture: Picture) => Promise<Blob>) =>
    createItem(format, `${fileName}${suffix}.${format.toLowerCase()}`, async () => {
      const root = panel.current?.closest('.panel');
      if (!root || !chart) throw new Error('there is no chart');
      return render(buildPicture(root, { title: chart.title, footer: origin }));
    });
  const createChartItem = (label: string, format: keyof typeof CHART_WRITERS) =>
    createItem(label, `${fileName}-chart${suffix}.${format}`, async () => {
      const sheet = mergeChartTables([...(charts ?? [])].flatMap((source) => source.current()));
      if (!chart || sheet.rows.length === 0) throw new Error('there is no chart');
      const source = [chart.title, origin, buildPinnedUrl(location.href, state)];
      return CHART_WRITERS[format](sheet, source);
    });
  // If there are several files, their names tell them apart.
  const isWhole = !chart || shownRequest;
  return [
    ...(chart
      ? DATA_FORMATS.map((format) =>
          createChartItem(format.toUpperCase() + (isWhole ? ', as charted' : ''), format),
        )
      : []),
    ...(request && isWhole ? createDataItems(request, '', shownRequest ? '-complete' : '') : []),
    ...(shownRequest ? createDataItems(shownRequest, ', as shown', '-as-shown') : []),
    ...(chart ? [createPictureItem('PNG', renderPng), createPictureItem('SVG', renderSvg)] : []),
  ];
}

const CHART_WRITERS = {
  csv: async (sheet: ChartSheet, source: readonly string[]) =>
    new Blob([formatChartCsv(sheet, source)], { type: RESPONSE_FORMATS.csv.mediaType }),
  async xlsx(sheet: ChartSheet, source: readonly string[]) {
    const { writeWorkbook } = await import('./write-workbook.ts');
    return writeWorkbook(sheet, source);
  },
};

type Attempt = ReturnType<typeof useStatus>['attempt'];

function useStatus() {
  const [status, setStatus] = useState('');
  const attempt = (success: string, operation: () => Promise<void>) => async () => {
    setStatus('');
    await operation().then(
      () => setStatus(success),
      (cause) => setStatus(`Failed: ${toQueryFailure(cause).message}`),
    );
  };
  return { status, attempt };
}

function readCompleteFile(response: Response): Promise<Blob> {
  if (response.headers.get('link')?.includes('rel="next"'))
    throw new Error('it is more than one file can hold; see /exports in the API reference');
  return response.blob();
}

function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Browsers read the content asynchronously.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
