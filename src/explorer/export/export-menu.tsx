import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ApiClient } from '../api/api-client.ts';
import { type ExplorerState, useExplorer } from '../api/explorer-context.ts';
import { toQueryFailure } from '../api/query-failure.ts';
import type { ApiRequest } from '../api/types.ts';
import { buildPicture, renderPng } from '../charts/build-picture.ts';
import { Button } from '../components/button.tsx';
import { Menu } from '../components/menu.tsx';
import { buildPinnedUrl } from './build-pinned-url.ts';
import { buildSnippet, LANGUAGES } from './build-snippet.ts';
import { describeSource } from './describe-source.ts';
import type { EmbedSource } from './embed-code.ts';
import { EmbedDialog } from './embed-dialog.tsx';

export interface ExportMenuProps {
  /** Without one, there is nothing to be requested again: no code, and no data of the service. */
  readonly request?: ApiRequest;
  /** Name of the downloaded files, without extension; without one there are no downloads. */
  readonly fileName?: string;
  /** The charts of the panel around the menu, with the title of their picture. */
  readonly chart?: {
    readonly title: string;
    /** The title of a frame, whose data goes on, if the other names the dates of today's. */
    readonly frameTitle?: string;
    /** Parameters of a frame, which knows the data of its links alone. */
    readonly frameParams?: EmbedSource['params'];
  };
  /** The requests that the chart needs, if they are others than `request`. */
  readonly chartRequests?: readonly ApiRequest[] | undefined;
  /** The request of the table as it is shown: its columns in its order, with changes. */
  readonly shownRequest?: ApiRequest | undefined;
  /** Says what is exported, if it differs from what is on display. */
  readonly description?: string;
}

const DATA_FORMATS = {
  CSV: 'text/csv',
  XLSX: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** A menu to copy a link or the request as code, and to download data, table and chart. */
export function ExportMenu(props: ExportMenuProps) {
  const { request, chart, description } = props;
  const state = useExplorer();
  const { status, attempt } = useStatus();
  const ref = useRef<HTMLSpanElement>(null);
  const [isEmbedding, setEmbedding] = useState(false);
  const requests = props.chartRequests ?? (request && [request]);
  const source = chart && requests && createEmbedSource(chart, requests, state);
  const frameItem = { text: 'Frame for a page…', run: () => setEmbedding(true) };
  const items = [
    ...createCopyItems(request, state, attempt),
    ...(source ? [frameItem] : []),
    ...createSaveItems(props, state, attempt, ref),
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

type ChartSource = NonNullable<ExportMenuProps['chart']>;

function createEmbedSource(
  chart: ChartSource,
  requests: readonly ApiRequest[],
  { api, revisions }: ExplorerState,
): EmbedSource {
  return {
    requests,
    title: chart.frameTitle ?? chart.title,
    params: chart.frameParams,
    asOf: api.asOf,
    hasSample: revisions.some(({ sample }) => sample),
  };
}

function createCopyItems(request: ApiRequest | undefined, state: ExplorerState, attempt: Attempt) {
  const { api, catalogue, revision } = state;
  const createItem = (text: string, label: string, getText: () => string) => ({
    text,
    run: attempt(`Copied ${label}`, () => navigator.clipboard.writeText(getText())),
  });
  const pinned = `pinned to revision ${revision}`;
  return [
    createItem(`Copy link, ${pinned}`, `the link, ${pinned}`, () =>
      buildPinnedUrl(location.href, state),
    ),
    ...LANGUAGES.flatMap((language) => {
      if (!request) return [];
      const context = { baseUrl: api.tab.baseUrl.href, request, asOf: api.asOf, catalogue };
      return createItem(`Copy as ${language}`, `as ${language}`, () =>
        buildSnippet(language, context),
      );
    }),
  ];
}

function createSaveItems(
  props: ExportMenuProps,
  state: ExplorerState,
  attempt: Attempt,
  ref: MenuRef,
) {
  const { request, fileName, shownRequest, chart } = props;
  const { api } = state;
  if (fileName === undefined) return [];
  const suffix = api.asOf === undefined ? '' : `-as-of-${api.asOf.replaceAll(':', '')}`;
  const formats: SavedFormat[] = [
    ...(request ? getDataFormats(api, request, shownRequest && 'complete') : []),
    ...(shownRequest ? getDataFormats(api, shownRequest, 'as shown') : []),
    ...(chart ? getPictureFormats(chart.title, describeSource(state), ref) : []),
  ];
  return formats.map(({ text, extension, variant = '', createContent }) => ({
    text: `Download ${text}`,
    run: attempt(`Saved as ${text}`, async () =>
      saveFile(await createContent(), `${fileName}${variant}${suffix}.${extension}`),
    ),
  }));
}

interface SavedFormat {
  readonly text: string;
  readonly extension: string;
  /** Says in the name of the file which of two it is. */
  readonly variant?: string | undefined;
  readonly createContent: () => Blob | Promise<Blob>;
}

/** The data of the service; where there are two of them, their names say which. */
function getDataFormats(
  api: ApiClient,
  request: ApiRequest,
  variant?: 'complete' | 'as shown',
): SavedFormat[] {
  return Object.entries(DATA_FORMATS).map(([name, mediaType]) => ({
    text: variant === 'as shown' ? `${name}, as shown` : name,
    extension: name.toLowerCase(),
    variant: variant && `-${variant.replace(' ', '-')}`,
    createContent: async () => readCompleteFile(await api.download(request, mediaType)),
  }));
}

type MenuRef = RefObject<Element | null>;

function getPictureFormats(title: string, footer: string, ref: MenuRef): SavedFormat[] {
  const build = () => {
    const panel = ref.current?.closest('.panel');
    if (!panel) throw new Error('there is no chart');
    return buildPicture(panel, { title, footer });
  };
  const createSvg = async () => new Blob([build().svg], { type: 'image/svg+xml' });
  return [
    { text: 'PNG', extension: 'png', createContent: async () => renderPng(build()) },
    { text: 'SVG', extension: 'svg', createContent: createSvg },
  ];
}

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
