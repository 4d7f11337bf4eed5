import type { RevisionEntry } from '../api/types.ts';

interface Cited {
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
  const { title, host, url, revision, accessed } = cited;
  const published = `revision ${revision.revision}, published ${getDay(revision.publishedAt)}`;
  return `${host}: “${title}”, ${published}. ${url} (accessed ${getDay(accessed.toISOString())}).`;
}

const getDay = (instant: string) => instant.slice(0, 10);
