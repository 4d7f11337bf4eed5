import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnalyticsRecord, CurveRecord } from '../../client/generated.ts';
import type { JsonRecord } from '../api/types.ts';
import type { FundAllocationRecord } from '../funds/fund-record.ts';

export interface LinkResponses {
  readonly data: readonly unknown[];
  readonly revision: number;
  /** Whether more records match than a link serves. */
  readonly isCut: boolean;
}

export interface LinksState {
  readonly responses?: LinkResponses;
  readonly problem?: string;
  /** Whether the next attempt may succeed. */
  readonly isTransient?: boolean;
}

/** Reads access links of the service below a URL; reports problems instead of throwing. */
export async function readLinks(baseUrl: URL, secrets: readonly string[]): Promise<LinksState> {
  try {
    const responses = await Promise.all(
      secrets.map((secret) => readLink(new URL(`links/${encodeURIComponent(secret)}`, baseUrl))),
    );
    return {
      responses: {
        data: responses.map(({ data }) => data),
        revision: Math.max(...responses.map(({ revision }) => revision)),
        isCut: responses.some(({ isCut }) => isCut),
      },
    };
  } catch (cause) {
    if (cause instanceof LinkError) return { problem: cause.message };
    return { problem: 'The service does not respond; retrying.', isTransient: true };
  }
}

/** A problem that retrying cannot solve. */
class LinkError extends Error {}

async function readLink(url: URL) {
  const headers = { accept: 'application/json' };
  const response = await fetch(url, { headers, credentials: 'omit', cache: 'no-cache' });
  // The response may be a proxy's own page.
  if (response.status >= 500 || response.status === 429) throw new Error(response.statusText);
  if (response.status === 404)
    throw new LinkError('This link is unknown: it may be mistyped, revoked or expired.');
  if (!response.headers.get('content-type')?.startsWith('application/json'))
    throw new LinkError('This link serves a format other than JSON: create it without “format”.');
  const { status, message, data } = (await response.json()) as {
    readonly status: string;
    readonly message?: string;
    readonly data?: unknown;
  };
  if (status !== 'ok') throw new LinkError(`The service says: ${message}.`);
  return {
    data,
    revision: Number(response.headers.get('tenor-revision')),
    // The first of several pages.
    isCut: response.headers.get('link')?.includes('rel="first"') ?? false,
  };
}

/** The data of a page's access links, distinguished by its fields. */
export interface LinkedData {
  readonly quotes: readonly Quote[];
  readonly analytics: readonly AnalyticsRecord[];
  readonly curves: readonly CurveRecord[];
  readonly funds: readonly FundAllocationRecord[];
  /** Records of a series. */
  readonly records: readonly JsonRecord[];
}

/** The secrets of links in the fragment of a URL: `#link=…&link=…`. */
export function parseSecrets(fragment: string): string[] {
  return new URLSearchParams(fragment.replace(/^#/, '')).getAll('link').filter(Boolean);
}

/** The secrets in the output of `tenor link create`, or in addresses of links, signed ones included. */
export function findSecrets(text: string): string[] {
  return [
    ...new Set(Array.from(text.matchAll(/\blinks\/([\w.-]+)/g), ([, secret = '']) => secret)),
  ];
}

/** Sorts the data of responses by kind, because links do not name their target. */
export function sortLinkedData(responses: readonly unknown[]): LinkedData {
  const isOf = (field: string) => (value: unknown) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, field);
  const records = responses.flat();
  const select = <T>(field: string) => records.filter(isOf(field)) as T[];
  const [quotes, analytics, curves, funds] = [
    select<Quote>('bidPrice'),
    select<AnalyticsRecord>('dirtyPrice'),
    select<CurveRecord>('points'),
    select<FundAllocationRecord>('rows'),
  ];
  const known = new Set<unknown>([...quotes, ...analytics, ...curves, ...funds]);
  const others = records.filter((record) => !known.has(record)) as JsonRecord[];
  return { quotes, analytics, curves, funds, records: others };
}
