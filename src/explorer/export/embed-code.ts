import type { ApiRequest } from '../api/types.ts';

/** The content of an embedded chart, and the requests that it comes from. */
export interface EmbedSource {
  readonly requests: readonly ApiRequest[];
  readonly title: string;
  /** The parameters that differ from those of the page. */
  readonly params?: Readonly<Record<string, string | undefined>> | undefined;
  readonly asOf: string | undefined;
  /** Whether some of the data is made up, in which case the chart says so. */
  readonly hasSample: boolean;
}

export const LINK_LIFETIME = '90d';

/** The targets that the links of a chart serve. */
export function listTargets({ requests, asOf }: EmbedSource): string[] {
  return requests.map(({ path, parameters }) =>
    formatRequestTarget({ path, parameters: { ...parameters, as_of: asOf } }),
  );
}

/** The path and query of a request. Commas stay unescaped, because they are easier to read. */
function formatRequestTarget({ path, parameters = {} }: ApiRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value));
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? path : `${path}?${text}`;
}

export function buildLinkCommands(source: EmbedSource): string {
  const options = `--name ${quoteForShell(source.title)} --expires ${LINK_LIFETIME}`;
  return listTargets(source)
    .map((target) => `npx tenor link create ${quoteForShell(target)} ${options}`)
    .join('\n');
}

/** The HTML of a frame that shows the chart of a view, from links with these secrets. */
export function buildFrame(
  href: string,
  { title, params, hasSample }: EmbedSource,
  secrets: readonly string[],
): string {
  const url = new URL(href);
  const query = new URLSearchParams(url.search);
  for (const name of ['embed', 'asof', 'title', 'sample']) query.delete(name);
  for (const [name, value] of Object.entries({ ...params, title })) query.set(name, value ?? '');
  if (hasSample) query.set('sample', '1');
  const fragment = secrets.map((secret) => `link=${encodeURIComponent(secret)}`).join('&');
  const source = `${url.origin}${url.pathname}?embed&${query}#${fragment}`;
  const attributes = { src: source, title, width: '100%', height: '520', loading: 'lazy' };
  const text = Object.entries(attributes).map(([name, value]) => `${name}="${escapeHtml(value)}"`);
  return `<iframe ${text.join(' ')} style="border: 0"></iframe>`;
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
