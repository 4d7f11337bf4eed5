import type { RefObject } from 'preact';
import { useId, useState } from 'preact/hooks';
import { BASE_URL } from '../api/api-client.ts';
import { useExplorer } from '../api/explorer-context.ts';
import { toQueryFailure } from '../api/query-failure.ts';
import type { ApiRequest } from '../api/types.ts';
import { renderPng } from '../charts/render-png.ts';
import { useDismissible } from '../components/use-dismissible.ts';
import { buildSnippet, LANGUAGES } from './code-snippets.ts';
import { describeSource } from './describe-source.ts';

interface ExportMenuProps {
  readonly request: ApiRequest;
  /** Name of the downloaded files, without extension; without one there are no downloads. */
  readonly fileName?: string;
  /** The element that contains the charts, and the title of their picture. */
  readonly chart?: { readonly ref: RefObject<Element | null>; readonly title: string };
  /** Says what is exported, if it differs from what is on display. */
  readonly description?: string;
}

const TABLE_FORMATS = {
  CSV: 'text/csv',
  XLSX: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Menus to copy the request as code, download the data, or save the chart as PNG. */
export function ExportMenu({ request, fileName, chart, description }: ExportMenuProps) {
  const state = useExplorer();
  const { api, catalogue } = state;
  const { status, attempt } = useStatus();
  const save = (format: string, createContent: () => Promise<Blob>) => ({
    text: format,
    run: attempt(`Saved as ${format}`, async () => {
      const suffix = api.asOf === undefined ? '' : `-as-of-${api.asOf.replaceAll(':', '')}`;
      saveFile(await createContent(), `${fileName}${suffix}.${format.toLowerCase()}`);
    }),
  });
  const copyItems = LANGUAGES.map((language) => ({
    text: language,
    run: attempt(`Copied as ${language}`, () => {
      const context = { baseUrl: BASE_URL.href, request, asOf: api.asOf, catalogue };
      return navigator.clipboard.writeText(buildSnippet(language, context));
    }),
  }));
  const tableItems = Object.entries(TABLE_FORMATS).map(([format, mediaType]) =>
    save(format, async () => readCompleteFile(await api.download(request, mediaType))),
  );
  const pictureItem = save('PNG', async () => {
    if (!chart?.ref.current) throw new Error('there is no chart');
    return renderPng(chart.ref.current, chart.title, describeSource(state));
  });
  return (
    <>
      <span class="status-message" role="status">
        {status}
      </span>
      <Menu title="Copy as" heading={description} items={copyItems} />
      {fileName !== undefined && (
        <Menu
          title="Download"
          heading={description}
          items={chart ? [...tableItems, pictureItem] : tableItems}
        />
      )}
    </>
  );
}

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
  if (response.headers.get('link')?.includes('rel="next"')) {
    throw new Error('it is more than one file can hold; see /exports in the API reference');
  }
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

interface MenuProps {
  readonly title: string;
  readonly heading?: string | undefined;
  readonly items: readonly { readonly text: string; readonly run: () => void }[];
}

function Menu({ title, heading, items }: MenuProps) {
  const { root, isOpen, setOpen, close } = useDismissible();
  const listId = useId();
  return (
    <div class="menu" ref={root}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        {title} <span aria-hidden="true">▾</span>
      </button>
      <ul id={listId} class="dropdown" hidden={!isOpen}>
        {heading && <li class="menu-hint">{heading}</li>}
        {items.map(({ text, run }) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => {
                close();
                run();
              }}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
