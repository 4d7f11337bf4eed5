import { correctionList } from '../catalogue/corrections.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import { catalogueList, fundList, securityList } from '../catalogue/discovery.ts';
import { wholeDatasets } from '../catalogue/exports.ts';
import type { Operation } from '../catalogue/operation.ts';
import { oneRevision, revisionList } from '../catalogue/revisions.ts';
import { headers, requestHeaders } from './openapi-headers.ts';
import { dataOperation, LEDGER, otherOperation } from './openapi-operations.ts';
import { sharedResponses } from './openapi-responses.ts';
import { errorSchema, recordSchema } from './schema.ts';

/** The OpenAPI 3.1 document of the whole service. */
export function openApi(catalogue: readonly Dataset[], version: string): object {
  const operations: readonly Operation[] = [
    catalogueList(catalogue),
    securityList,
    fundList,
    wholeDatasets(catalogue),
    revisionList(catalogue),
    oneRevision(catalogue),
    correctionList(catalogue),
  ];
  return {
    openapi: '3.1.0',
    info: { title: 'Tenor', version, summary: SUMMARY, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: '/', description: 'The service that this document comes from' }],
    security: [{ bearer: [] }],
    tags: tagsOf(catalogue, operations),
    paths: Object.fromEntries([
      ...catalogue.flatMap(pathsOf),
      ...operations.map((operation) => [operation.path, { get: otherOperation(operation) }]),
    ]),
    components: {
      securitySchemes: { bearer: BEARER },
      schemas: {
        ...Object.fromEntries(catalogue.map((dataset) => [dataset.name, recordSchema(dataset)])),
        error: errorSchema,
      },
      parameters: requestHeaders,
      headers,
      responses: sharedResponses(),
    },
  };
}

const SUMMARY = 'Bond and bill quotes, fund asset allocation and payment statistics';
const DESCRIPTION = `Read-only: every operation is a GET, behind a bearer token.

Bodies hold \`status\` and \`data\`, or \`status\` and \`message\` on failure; all else is in headers.
Any method but GET, HEAD and OPTIONS is answered with 405 \`invalid_method\`, an unknown path with
404 \`not_found\`.

- **Forms**: \`Accept\` chooses JSON, CSV, NDJSON, Arrow, Parquet or XLSX; errors are always JSON.
- **Pages**: where more records match than were sent, \`Link\` has the address of the next ones.
- **Caching**: send an \`ETag\` back in \`If-None-Match\`; what has not changed is 304, costs a quarter
  of a request, and has no body. All but whole exports come as zstd, br or gzip where
  \`Accept-Encoding\` has it.
- **The past**: with \`Accept-Datetime\`, every dataset can be asked for as it stood at an instant.
- **Rates**: \`RateLimit\` tells how many requests are left; then 429 comes, with \`Retry-After\`.`;
const LICENSE = { name: 'MIT', identifier: 'MIT' };
const BEARER = {
  type: 'http',
  scheme: 'bearer',
  description: 'A token, as `npm start` prints one and `tenor token create` makes them.',
};

/** What operations are listed under. */
const TAGS: Readonly<Record<string, string>> = {
  quotes: 'Quotes of bills and bonds',
  funds: 'Mutual funds',
  alternate: 'Statistics of the payment sector, a series each',
  [LEDGER]: 'What was published, corrected and retired',
  discovery: 'What there is, and how far it reaches',
  exports: 'Whole datasets as files',
};

function tagsOf(catalogue: readonly Dataset[], operations: readonly Operation[]): object[] {
  const scopes = catalogue.map(({ scope }) => scope as string);
  const names = new Set([...scopes, ...operations.map(({ tag = LEDGER }) => tag)]);
  return [...names].map((name) => ({ name, description: TAGS[name] ?? name }));
}

function pathsOf(dataset: Dataset): [string, object][] {
  return dataset.paths.map((path, index) => [path, { get: dataOperation(dataset, index) }]);
}
