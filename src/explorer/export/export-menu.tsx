import type { RefObject } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { BASE_URL } from '../api/api-client.ts';
import { ExplorerContext } from '../api/explorer-context.ts';
import { toQueryFailure } from '../api/query-failure.ts';
import type { ApiRequest } from '../api/types.ts';
import { renderPng } from '../charts/render-png.ts';
import { Menu } from '../components/menu.tsx';
import { buildSnippet, LANGUAGES, type Language } from './code-snippets.ts';
import { saveFile } from './save-file.ts';

interface ExportMenuProps {
  /** What is shown: what is copied and downloaded asks for the same. */
  readonly request: ApiRequest;
  /** Name of the downloaded files, without extension; without one there are no downloads. */
  readonly fileName?: string;
  /** What holds the charts, and the title of their picture. */
  readonly chart?: { readonly ref: RefObject<Element | null>; readonly title: string };
  /** What is taken, where that is not plain from what is shown. */
  readonly description?: string;
}

const TABLE_FORMATS = {
  CSV: { extension: 'csv', mediaType: 'text/csv' },
  XLSX: {
    extension: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
} as const;

/** Takes what is shown elsewhere: as code that asks for it, as a file, as a picture. */
export function ExportMenu({ request, fileName: name, chart, description }: ExportMenuProps) {
  const { api, catalogue, revision, revisions } = useContext(ExplorerContext);
  const [told, tell] = useState('');
  // What stood in the past is not to be taken for what stands now.
  const fileName = api.asOf === undefined ? name : `${name}-as-of-${api.asOf.replaceAll(':', '')}`;
  const attempt = async (what: string, operation: () => Promise<void>) => {
    tell('');
    await operation().then(
      () => tell(what),
      (cause) => tell(`That did not work: ${toQueryFailure(cause).message}`),
    );
  };
  const copy = (language: Language) =>
    attempt(`Copied as ${language}`, () => {
      const asking = { base: BASE_URL.href, question: request, asOf: api.asOf, catalogue };
      return navigator.clipboard.writeText(buildSnippet(language, asking));
    });
  const download = (form: keyof typeof TABLE_FORMATS) =>
    attempt(`Saved as ${form}`, async () => {
      const { extension, mediaType } = TABLE_FORMATS[form];
      const answer = await api.download(request, mediaType);
      // Nothing is cut in silence.
      if (answer.headers.get('link')?.includes('rel="next"')) {
        throw new Error('it is more than one file can hold; see /exports in the API reference');
      }
      saveFile(await answer.blob(), `${fileName}.${extension}`);
    });
  const draw = () =>
    attempt('Saved as PNG', async () => {
      if (!chart?.ref.current) throw new Error('there is no chart');
      const foot = [
        `Tenor, ${BASE_URL.host}, revision ${revision}`,
        ...(api.asOf ? [`as of ${api.asOf}`] : []),
        ...(revisions.some(({ sample }) => sample) ? ['sample data, made up'] : []),
      ].join('; ');
      saveFile(await renderPng(chart.ref.current, chart.title, foot), `${fileName}.png`);
    });
  const files = [
    { text: 'CSV', run: () => download('CSV') },
    { text: 'XLSX', run: () => download('XLSX') },
    ...(chart ? [{ text: 'PNG', run: draw }] : []),
  ];
  return (
    <>
      <span class="status-message" role="status">
        {told}
      </span>
      <Menu
        title="Copy as"
        heading={description}
        items={LANGUAGES.map((language) => ({ text: language, run: () => copy(language) }))}
      />
      {name && <Menu title="Download" heading={description} items={files} />}
    </>
  );
}
