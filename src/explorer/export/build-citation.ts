import type { RevisionEntry } from '../api/types.ts';

export interface Cited {
  readonly title: string;
  /** The host of the service. */
  readonly host: string;
  /** The address that shows the same figures for ever. */
  readonly url: string;
  readonly revision: Pick<RevisionEntry, 'revision' | 'publishedAt'>;
  readonly accessed: Date;
}

/** A citation in a sentence, with what finds the same figures again. */
export function buildCitation(cited: Cited): string {
  const { title, host, url, revision } = cited;
  const published = `revision ${revision.revision}, published ${getDay(revision.publishedAt)}`;
  return `${host}: “${title}”, ${published}. ${url} (accessed ${formatAccess(cited)}).`;
}

/** The same as an entry of BibTeX. */
export function buildBibTex(cited: Cited): string {
  const { title, host, url, revision } = cited;
  const fields = {
    title: `{${escapeTex(title)}}`,
    author: `{${escapeTex(host)}}`,
    year: getDay(revision.publishedAt).slice(0, 4),
    note: `Revision ${revision.revision}, published ${getDay(revision.publishedAt)}`,
    url,
    urldate: formatAccess(cited),
  };
  const lines = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}},\n`);
  return `@misc{tenor-${revision.revision},\n${lines.join('')}}\n`;
}

const getDay = (instant: string) => instant.slice(0, 10);
const formatAccess = ({ accessed }: Cited) => getDay(accessed.toISOString());

const escapeTex = (text: string) => text.replaceAll(/[\\{}&%$#_~^]/g, (sign) => `\\${sign}`);
