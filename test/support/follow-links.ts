import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';

/** The link of every response with records of a dataset. */
export const DESCRIBED_BY = '</datapackage.json>; rel="describedby"';

/** The target of a `Link` header's relation; undefined where it has none. */
export function findLink(headers: Headers, relation: string): string | undefined {
  return new RegExp(`<([^>]*)>; rel="${relation}"`).exec(headers.get('link') ?? '')?.[1];
}

/** The records of a body, which is the JSON envelope or has a record on each line. */
export function parseRecords(body: string): AnyRecord[] {
  if (body.startsWith('{"status":')) return (JSON.parse(body) as { data: AnyRecord[] }).data;
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AnyRecord);
}

/** Follows the links from a target to the last answer; gives each answer's records. */
export async function fetchPages(
  ask: (target: string) => Promise<Response>,
  target: string,
): Promise<AnyRecord[][]> {
  const pages: AnyRecord[][] = [];
  for (let next: string | undefined = target; next !== undefined; ) {
    const response = await ask(next);
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${next} gave ${response.status}: ${body}`);
    pages.push(parseRecords(body));
    next = findLink(response.headers, 'next');
  }
  return pages;
}
