import type { RefObject } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { pictureOf } from '../charts/png.ts';
import { BASE, type Question } from '../service/api.ts';
import { ServiceContext } from '../service/service.ts';
import { failureOf } from '../service/use-answer.ts';
import { Menu } from './menu.tsx';
import { LANGUAGES, type Language, recipe } from './recipes.ts';
import { save } from './save.ts';

interface TakeProps {
  /** What is shown: what is copied and downloaded asks for the same. */
  readonly question: Question;
  /** Name of the files, without their extension. */
  readonly name: string;
  /** Whether the answer can be had as a table. */
  readonly isTable?: boolean;
  /** What holds the charts, where there are some. */
  readonly picture?: RefObject<Element | null>;
  readonly title: string;
  /** What is taken, where that is not plain from what is shown. */
  readonly about?: string;
}

const TABLES = {
  CSV: { extension: 'csv', mediaType: 'text/csv' },
  XLSX: {
    extension: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
} as const;

/** Takes what is shown elsewhere: as code that asks for it, as a file, as a picture. */
export function Take({ question, name, title, isTable = true, picture, about }: TakeProps) {
  const { api, catalogue, revision, revisions } = useContext(ServiceContext);
  const [told, tell] = useState('');
  // What stood in the past is not to be taken for what stands now.
  const fileName = api.asOf === undefined ? name : `${name}-as-of-${api.asOf.replaceAll(':', '')}`;
  const attempt = async (what: string, work: () => Promise<void>) => {
    tell('');
    await work().then(
      () => tell(what),
      (cause) => tell(`That did not work: ${failureOf(cause).message}`),
    );
  };
  const copy = (language: Language) =>
    attempt(`Copied as ${language}`, () => {
      const asking = { base: BASE.href, question, asOf: api.asOf, catalogue };
      return navigator.clipboard.writeText(recipe(language, asking));
    });
  const download = (form: keyof typeof TABLES) =>
    attempt(`Saved as ${form}`, async () => {
      const { extension, mediaType } = TABLES[form];
      const answer = await api.file(question, mediaType);
      // Nothing is cut in silence.
      if (answer.headers.get('link')?.includes('rel="next"')) {
        throw new Error('it is more than one file can hold; see /exports in the API reference');
      }
      save(await answer.blob(), `${fileName}.${extension}`);
    });
  const draw = () =>
    attempt('Saved as PNG', async () => {
      if (!picture?.current) throw new Error('there is no chart');
      const foot = [
        `Tenor, ${BASE.host}, revision ${revision}`,
        ...(api.asOf ? [`as of ${api.asOf}`] : []),
        ...(revisions.some(({ sample }) => sample) ? ['sample data, made up'] : []),
      ].join('; ');
      save(await pictureOf(picture.current, title, foot), `${fileName}.png`);
    });
  const files = [
    ...(isTable ? [{ text: 'CSV', run: () => download('CSV') }] : []),
    ...(isTable ? [{ text: 'XLSX', run: () => download('XLSX') }] : []),
    ...(picture ? [{ text: 'PNG', run: draw }] : []),
  ];
  return (
    <>
      <span class="told" role="status">
        {told}
      </span>
      <Menu
        title="Copy as"
        about={about}
        items={LANGUAGES.map((language) => ({ text: language, run: () => copy(language) }))}
      />
      {files.length > 0 && <Menu title="Download" about={about} items={files} />}
    </>
  );
}
