import { splitColumns } from '../api/aligned.ts';
import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import { isDeclared } from '../datasets/dimensions.ts';

export interface SnippetContext {
  readonly baseUrl: string;
  readonly request: ApiRequest;
  readonly asOf: string | undefined;
  readonly catalogue: readonly Pick<DatasetEntry, 'name' | 'path' | 'shape'>[];
}

const SNIPPET_BUILDERS = {
  curl: buildCurlSnippet,
  TypeScript: buildTypeScriptSnippet,
  Python: buildPythonSnippet,
};

type Language = keyof typeof SNIPPET_BUILDERS;
export const LANGUAGES = Object.keys(SNIPPET_BUILDERS) as Language[];

/** Runnable code that sends the request. It reads the token from `TENOR_TOKEN`, so it can be shared. */
export function buildSnippet(language: Language, context: SnippetContext): string {
  return SNIPPET_BUILDERS[language](context);
}

function buildCurlSnippet({ baseUrl, request, asOf }: SnippetContext): string {
  const url = `${baseUrl}${formatRequestTarget(request).slice(1)}`;
  const lines = ['curl -s -H "Authorization: Bearer $TENOR_TOKEN"'];
  if (asOf !== undefined) lines.push(`  -H ${quoteForShell(`Accept-Datetime: ${asOf}`)}`);
  lines.push(`  ${quoteForShell(url)}`);
  return lines.join(' \\\n');
}

/** The path and query of a request. Commas stay unescaped, because they are easier to read. */
export function formatRequestTarget(request: ApiRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of getDefinedParameters(request)) query.set(name, String(value));
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? request.path : `${request.path}?${text}`;
}

export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function buildTypeScriptSnippet({ baseUrl, request, asOf, catalogue }: SnippetContext): string {
  const { method, positionals } = resolveClientMethod(request, catalogue);
  const parameters = getDefinedParameters(request)
    .filter(([name]) => name !== 'columns')
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const options = parameters.length > 0 ? [`{ ${parameters.join(', ')} }`] : [];
  const callArguments = [...positionals, ...options].join(', ');
  const asOfCall = asOf === undefined ? '' : `.asOf(${JSON.stringify(asOf)})`;
  return [
    "import { Tenor } from 'tenor-client';",
    '',
    `const tenor = new Tenor({ baseUrl: ${JSON.stringify(baseUrl)}, token: process.env.TENOR_TOKEN ?? '' })${asOfCall};`,
    request.allPages || hasAllPages(method)
      ? `const data = await tenor.${method}.all(${callArguments}).toArray();`
      : `const { data } = await tenor.${method}(${callArguments});`,
    'console.log(data);',
  ].join('\n');
}

function buildPythonSnippet({ baseUrl, request, asOf, catalogue }: SnippetContext): string {
  const { method, positionals } = resolveClientMethod(request, catalogue);
  const allPages = request.allPages || hasAllPages(method);
  const name = method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const parameters = getDefinedParameters(request)
    .filter(([key]) => !(allPages && key === 'limit') && key !== 'columns')
    // `from` is a keyword of Python.
    .map(([key, value]) => `${key === 'from' ? 'from_' : key}=${JSON.stringify(value)}`);
  const callArguments = [...positionals, ...parameters].join(', ');
  const asOfCall = asOf === undefined ? '' : `.as_of(${JSON.stringify(asOf)})`;
  return [
    'import os',
    'from tenor_client import Tenor',
    '',
    `tenor = Tenor(${JSON.stringify(baseUrl)}, os.environ["TENOR_TOKEN"])${asOfCall}`,
    allPages
      ? `data = list(tenor.${name}${hasAllPages(method) ? '' : '_all'}(${callArguments}))`
      : `data = tenor.${name}(${callArguments})`,
    'print(data)',
  ].join('\n');
}

function getDefinedParameters({ parameters = {} }: ApiRequest): [string, string | number][] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string | number]],
  );
}

/** Whether the method of the Python client fetches all pages. */
const hasAllPages = (method: string) => method === 'dataset' || method === 'aligned';

function resolveClientMethod(
  { path, parameters: { columns } = {} }: ApiRequest,
  catalogue: SnippetContext['catalogue'],
) {
  if (columns !== undefined)
    return { method: 'aligned', positionals: [JSON.stringify(splitColumns(String(columns)))] };
  const entry = catalogue.find((dataset) => dataset.path === path);
  if (entry?.shape === 'series') {
    const method = isDeclared(entry) ? 'dataset' : 'series';
    return { method, positionals: [JSON.stringify(entry.name)] };
  }
  if (entry && entry.shape !== 'reference')
    return { method: entry.shape === 'fund' ? 'fundAllocation' : 'quotes', positionals: [] };
  const [, operation, argument = ''] = /^\/(revisions|corrections)\/(.+)$/.exec(path) ?? [];
  if (operation === 'revisions') return { method: 'revision', positionals: [argument] };
  if (operation) return { method: operation, positionals: [JSON.stringify(argument)] };
  return { method: path.slice(path.lastIndexOf('/') + 1), positionals: [] };
}
