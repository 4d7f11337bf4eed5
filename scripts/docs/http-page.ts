import { API_ERRORS } from '../../src/catalogue/model/api-errors.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Operation } from '../../src/catalogue/model/operation.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { buildOpenApiDocument, listOperations } from '../../src/openapi/document.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../../src/openapi/headers.ts';
import { describeMessage } from '../../src/openapi/request-descriptions.ts';
import { getWidgetPath } from '../../src/openbb/widget.ts';
import { listWidgets } from '../../src/openbb/widgets-json.ts';
import {
  HEALTH_OPERATIONS,
  type HealthOperation,
} from '../../src/operations/health/health-operations.ts';
import { linkOperation } from '../../src/operations/links/link-operation.ts';
import { SDMX_OPERATIONS } from '../../src/operations/sdmx/sdmx-operations.ts';
import { VERSION } from '../../src/version.ts';
import { code, page, table } from './markdown-table.ts';
import { parameterTables } from './parameter-table.ts';

/** The page on what all operations share: formats, headers, errors. */
export function httpPage(catalogue: readonly Dataset[]): string {
  const formats = Object.entries(RESPONSE_FORMATS).map(([name, { mediaType, description }]) => [
    name,
    code(mediaType),
    description,
  ]);
  const errors = Object.values(API_ERRORS).map(({ status, message, description }) => [
    String(status),
    code(message),
    description,
  ]);
  return page(
    'HTTP',
    'All operations are `GET` (and `HEAD`, `OPTIONS`). `/openapi.json` describes them for programs, and `/docs` lets people try them. `/datasets/{name}/openapi.json` describes one dataset; if more than 100 are declared, `/openapi.json` has one path for all of them. `/schemas/dataset.json` is the JSON Schema of a dataset that a publisher declares. `POST /mcp` is for [language models](../how-to/mcp.md).',
    '## Operations',
    table(['path', 'operation'], operationRows(catalogue)),
    describeMessage(catalogue),
    '## Parameters',
    'Those of datasets are on [their page](datasets.md). A parameter that is unknown, repeated or empty is an error; empty segments of a query (`?`, `&&`) are ignored.',
    ...[...listOperations(catalogue), ...SDMX_OPERATIONS].flatMap(operationParagraphs),
    `### ${code(linkOperation.path)}`,
    `${linkOperation.description} See [how to make and use links](../how-to/links.md).`,
    '## OpenBB Workspace',
    '`/widgets.json` declares these widgets and their parameters, `/apps.json` is a dashboard of them, and `/openbb/options/securities` and `/openbb/options/funds` list what to choose from. All need a token. An empty parameter under `/openbb/` is one that was not chosen. See [how to use them](../how-to/openbb.md).',
    table(['path', 'widget'], widgetRows(catalogue)),
    '## Health',
    'Open to all, without a token and outside of limits. Their successes are not logged. With `ADMIN_PORT` they are on that port too, with `/metrics` ([how to monitor](../how-to/monitor.md)).',
    ...HEALTH_OPERATIONS.flatMap(healthParagraphs),
    '## Response formats',
    'Requested by `Accept`, with weights; JSON if nothing else matches. Errors are always JSON.',
    table(['format', '`Accept`', 'description'], formats),
    '## Request headers',
    table(['header', 'description', 'example'], headerRows(REQUEST_HEADERS)),
    '## Response headers',
    table(['header', 'description', 'example'], headerRows(RESPONSE_HEADERS)),
    '## Errors',
    'The body is `{"status":"error","message":…}`. Names in braces are replaced by details of the request.',
    table(['status', 'message', 'cause'], errors),
    'What is no HTTP request is refused by the HTTP parser of Bun, before any of the program runs: without a body, without `X-Request-Id`, and without a line in the log; then the connection is closed. 400: a malformed request line, header or length, or no `Host`. 431: a request line and headers of more than 16 KiB, or more than 200 headers. 505: another version than HTTP/1.0 and HTTP/1.1. 413: a body of more than 128 MiB. A method that the parser does not know gets no response.',
  );
}

function operationParagraphs({ path, description, ...operation }: Operation): string[] {
  const { pathParameters, parameters, isOpen } = operation;
  const tables = parameterTables(parameters, pathParameters);
  const access = isOpen ? ' Open to all, without a token and outside of limits.' : '';
  return [
    `### ${code(path)}`,
    `${description}${access}`,
    ...(tables.length > 0 ? tables : ['No parameters.']),
  ];
}

function healthParagraphs({ path, description, responses }: HealthOperation): string[] {
  const rows = Object.entries(responses).map(([status, { example }]) => [
    status,
    code(JSON.stringify(example)),
  ]);
  return [`### ${code(path)}`, description, table(['status', 'body'], rows)];
}

function operationRows(catalogue: readonly Dataset[]): string[][] {
  const { paths } = buildOpenApiDocument(catalogue, VERSION) as {
    paths: Record<string, { get: { summary: string } }>;
  };
  return Object.entries(paths).map(([path, { get }]) => [code(path), get.summary]);
}

function widgetRows(catalogue: readonly Dataset[]): string[][] {
  return listWidgets(catalogue).map((widget) => [code(getWidgetPath(widget)), widget.title]);
}

interface HeaderText {
  readonly description: string;
  readonly example?: string | number;
}

function headerRows(headers: Readonly<Record<string, HeaderText>>): string[][] {
  return Object.entries(headers).map(([name, { description, example }]) => [
    code(name),
    description,
    example === undefined ? '' : code(String(example)),
  ]);
}
