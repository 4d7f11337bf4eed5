import { API_ERRORS } from '../../src/catalogue/model/api-errors.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { buildOpenApiDocument } from '../../src/openapi/document.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../../src/openapi/headers.ts';
import { VERSION } from '../../src/version.ts';
import { code, page, table } from './markdown-table.ts';

/** What every operation has in common: forms, headers, failures. */
export function httpPage(catalogue: readonly Dataset[]): string {
  return page(
    'HTTP',
    'All operations are `GET` (and `HEAD`, `OPTIONS`). `/openapi.json` has all of this for programs, and `/docs` for people who want to try it.',
    '## Operations',
    table(['path', 'what'], operations(catalogue)),
    '## Forms',
    'Asked for by `Accept`, with weights; JSON where nothing else fits. Errors are always JSON.',
    table(['form', '`Accept`', 'what'], forms()),
    '## Headers of requests',
    table(['header', 'what', 'example'], asked()),
    '## Headers of replies',
    table(['header', 'what', 'example'], told()),
    '## Failures',
    'The body is `{"status":"error","message":…}`. Names in braces stand for details of the request.',
    table(['status', 'message', 'when'], refused()),
  );
}

function operations(catalogue: readonly Dataset[]): string[][] {
  const { paths } = buildOpenApiDocument(catalogue, VERSION) as {
    paths: Record<string, { get: { summary: string } }>;
  };
  return Object.entries(paths).map(([path, { get }]) => [code(path), get.summary]);
}

function forms(): string[][] {
  return Object.entries(RESPONSE_FORMATS).map(([name, { mediaType, meaning }]) => [
    name,
    code(mediaType),
    meaning,
  ]);
}

interface Told {
  readonly description: string;
  readonly example?: string;
}

function asked(): string[][] {
  return rowsOf(REQUEST_HEADERS as unknown as Record<string, Told>);
}

function told(): string[][] {
  return rowsOf(RESPONSE_HEADERS);
}

function rowsOf(all: Readonly<Record<string, Told>>): string[][] {
  return Object.entries(all).map(([name, { description, example }]) => [
    code(name),
    description,
    example === undefined ? '' : code(example),
  ]);
}

function refused(): string[][] {
  return Object.values(API_ERRORS).map(({ status, message, description }) => [
    String(status),
    code(message),
    description,
  ]);
}
