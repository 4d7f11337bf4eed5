import type { ApiRequest, DatasetEntry } from '../api/types.ts';

/** What is needed to ask the same from elsewhere. */
export interface SnippetContext {
  readonly base: string;
  readonly question: ApiRequest;
  readonly asOf: string | undefined;
  readonly catalogue: readonly Pick<DatasetEntry, 'name' | 'path' | 'shape'>[];
}

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The question in a language, to be run as it is. The token is not in it: it is looked for in
 * `TENOR_TOKEN`, so that what is shared does not give it away.
 */
export function buildSnippet(language: Language, asking: SnippetContext): string {
  return { curl: buildCurlSnippet, TypeScript: buildTypeScriptSnippet, Python: buildPythonSnippet }[
    language
  ](asking);
}

function buildCurlSnippet({ base, question: request, asOf }: SnippetContext): string {
  const query = new URLSearchParams(
    getDefinedParameters(request).map(([name, value]): [string, string] => [name, `${value}`]),
  );
  const url = `${base}${request.path.slice(1)}${query.size > 0 ? `?${query}` : ''}`;
  const lines = ['curl -s -H "Authorization: Bearer $TENOR_TOKEN"'];
  if (asOf !== undefined) lines.push(`  -H ${quoteForShell(`Accept-Datetime: ${asOf}`)}`);
  lines.push(`  ${quoteForShell(url)}`);
  return lines.join(' \\\n');
}

/** A text in a shell, whatever is in it. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function buildTypeScriptSnippet({
  base,
  question: request,
  asOf,
  catalogue,
}: SnippetContext): string {
  const { method, name } = resolveClientMethod(request.path, catalogue);
  const values = getDefinedParameters(request).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}`,
  );
  const first = name === undefined ? [] : [JSON.stringify(name)];
  const all = [...first, ...(values.length > 0 ? [`{ ${values.join(', ')} }`] : [])].join(', ');
  const at = asOf === undefined ? '' : `.asOf(${JSON.stringify(asOf)})`;
  return [
    "import { Tenor } from 'tenor-client';",
    '',
    `const tenor = new Tenor({ baseUrl: ${JSON.stringify(base)}, token: process.env.TENOR_TOKEN ?? '' })${at};`,
    request.allPages
      ? `const data = await tenor.${method}.all(${all}).toArray();`
      : `const { data } = await tenor.${method}(${all});`,
    'console.log(data);',
  ].join('\n');
}

function buildPythonSnippet({ base, question: request, asOf, catalogue }: SnippetContext): string {
  const { method, name } = resolveClientMethod(request.path, catalogue);
  const snake = method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const values = getDefinedParameters(request)
    .filter(([key]) => !(request.allPages && key === 'limit'))
    // A word of the language cannot be a name in it.
    .map(([key, value]) => `${key === 'from' ? 'from_' : key}=${JSON.stringify(value)}`);
  const all = [...(name === undefined ? [] : [JSON.stringify(name)]), ...values].join(', ');
  const at = asOf === undefined ? '' : `.as_of(${JSON.stringify(asOf)})`;
  return [
    'import os',
    'from tenor_client import Tenor',
    '',
    `tenor = Tenor(${JSON.stringify(base)}, os.environ["TENOR_TOKEN"])${at}`,
    request.allPages ? `data = list(tenor.${snake}_all(${all}))` : `data = tenor.${snake}(${all})`,
    'print(data)',
  ].join('\n');
}

function getDefinedParameters({ parameters = {} }: ApiRequest): [string, string | number][] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string | number]],
  );
}

interface ClientMethod {
  readonly method: string;
  readonly name?: string | number;
}

/** What the clients call that path, and the name that they take before the parameters. */
function resolveClientMethod(path: string, catalogue: SnippetContext['catalogue']): ClientMethod {
  const entry = catalogue.find((each) => each.path === path);
  if (entry?.shape === 'series') return { method: 'series', name: entry.name };
  if (entry?.shape === 'fund') return { method: 'fundAllocation' };
  if (entry) return { method: 'quotes' };
  const corrections = /^\/corrections\/(.+)$/.exec(path)?.[1];
  if (corrections !== undefined) return { method: 'corrections', name: corrections };
  const revision = /^\/revisions\/(\d+)$/.exec(path)?.[1];
  if (revision !== undefined) return { method: 'revision', name: Number(revision) };
  return { method: path.slice(path.lastIndexOf('/') + 1) };
}
