import type { Dataset } from '../catalogue/model/dataset.ts';
import { ANY_DECLARED, getSchemaName, listDescribed } from '../catalogue/model/json-schema.ts';
import {
  findSuccessors,
  listServedForms,
  OBSERVATIONS_PATH,
} from '../catalogue/model/observations.ts';
import type { Operation } from '../catalogue/model/operation.ts';
import { eventsOperation } from '../operations/events/events-operation.ts';
import { followOperation } from '../operations/follow/follow-operation.ts';
import { HEALTH_OPERATIONS } from '../operations/health/health-operations.ts';
import { OPEN_OPERATIONS } from '../operations/ledger/ledger-operations.ts';
import { linkOperation, signLinkOperation } from '../operations/links/link-operation.ts';
import { declareOperations, type OPERATIONS } from '../operations/operations.ts';
import { SDMX_OPERATIONS } from '../operations/sdmx/sdmx-operations.ts';
import { buildVintageSchemas } from '../operations/vintages/vintages-operation.ts';
import { buildRecordSchema, ERROR_SCHEMA, TRANSFORMED_SCHEMA } from '../schema/envelope-schema.ts';
import { createLookupTable } from '../shared/lookup-table.ts';
import { ANY_RECORD_SCHEMA, buildAnyDeclaredOperation } from './any-declared.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts';
import { nameEnums } from './name-enums.ts';
import { buildDatasetOperation, buildOperation, DEFAULT_TAG } from './operations.ts';
import {
  buildHealthOperation,
  buildLinkOperation,
  buildSdmxOperation,
  HEALTH_TAG,
  LINK_TAG,
} from './public-operations.ts';
import { describeMessage } from './request-descriptions.ts';
import { buildSharedResponses } from './responses.ts';

export function listOperations(
  datasets: readonly Dataset[],
  operations?: typeof OPERATIONS,
): readonly Operation[] {
  return [...declareOperations(datasets, operations), eventsOperation, ...OPEN_OPERATIONS];
}

export function buildOpenApiDocument(
  catalogue: readonly Dataset[],
  version: string,
  operations = listOperations(catalogue),
): object {
  const description = buildDescription(catalogue);
  const { described, hasOthers } = listDescribed(catalogue);
  const { paths, schemas } = nameEnums(
    Object.fromEntries([
      ...buildDatasetPaths(described, findSuccessors(catalogue)),
      ...(hasOthers ? [[OBSERVATIONS_PATH, { get: buildAnyDeclaredOperation() }]] : []),
      ...operations.map((operation) => [operation.path, { get: buildOperation(operation) }]),
      ...SDMX_OPERATIONS.map((operation) => [
        operation.path,
        { get: buildSdmxOperation(operation) },
      ]),
      [followOperation.path, { get: buildOperation(followOperation) }],
      [signLinkOperation.path, { get: buildOperation(signLinkOperation) }],
      [linkOperation.path, { get: buildLinkOperation() }],
      ...HEALTH_OPERATIONS.map((health) => [health.path, { get: buildHealthOperation(health) }]),
    ]),
  );
  return {
    ...buildHead({ title: 'Tenor', version, summary: SUMMARY, description }),
    tags: buildTags(catalogue, operations),
    paths,
    components: buildComponents(described, {
      ...schemas,
      ...(hasOthers && { [ANY_DECLARED]: ANY_RECORD_SCHEMA }),
      ...buildVintageSchemas(catalogue),
    }),
  };
}

/** The document of one dataset: all that it is served by. */
export function buildDatasetDocument(
  dataset: Dataset,
  version: string,
  successor?: Dataset,
): object {
  const { name, title, description } = dataset;
  const successors = new Map(successor && [[name, successor]]);
  const { paths, schemas } = nameEnums(
    Object.fromEntries(buildDatasetPaths([dataset], successors)),
  );
  return {
    ...buildHead({ title, version, description }),
    paths,
    components: buildComponents([dataset], schemas),
  };
}

const buildHead = (info: object) => ({
  openapi: '3.1.0',
  info: { ...info, license: LICENSE },
  servers: [{ url: '/', description: 'The server of this document' }],
  security: [{ bearer: [] }],
});

function buildDatasetPaths(
  datasets: readonly Dataset[],
  successors: ReadonlyMap<string, Dataset>,
): [string, { readonly get: object }][] {
  return datasets
    .flatMap(listServedForms)
    .flatMap((each) =>
      each.paths.map((path, index) => [
        path,
        { get: buildDatasetOperation(each, index, successors.get(each.name)) },
      ]),
    );
}

function buildComponents(datasets: readonly Dataset[], moreSchemas: object = {}): object {
  const forms = [...datasets, ...datasets.flatMap(listServedForms)];
  return {
    securitySchemes: { bearer: BEARER_SECURITY_SCHEME },
    schemas: {
      ...Object.fromEntries(forms.map((each) => [getSchemaName(each), buildRecordSchema(each)])),
      transformed: TRANSFORMED_SCHEMA,
      ...moreSchemas,
      error: ERROR_SCHEMA,
    },
    parameters: REQUEST_HEADERS,
    headers: RESPONSE_HEADERS,
    responses: buildSharedResponses(),
  };
}

const SUMMARY = 'Bond and bill quotes, fund asset allocation and payment statistics';
const buildDescription = (catalogue: readonly Dataset[]) =>
  `Read-only: every operation is a GET, behind a bearer token, but for links, digests of the ledger and those of health.

Bodies have \`status\` and \`data\`, or \`status\` and \`message\` on errors; all else is in headers.
${describeMessage(catalogue)} An empty list is a success.
Methods other than GET, HEAD and OPTIONS get 405 \`invalid_method\`, an unknown path 404 \`not_found\`.

- **Formats**: \`Accept\` chooses JSON, CSV, NDJSON, Arrow, Parquet or XLSX; errors are always JSON.
- **Pages**: if more records match than were sent, \`Link\` has the URL of the next page.
- **Caching**: send the \`ETag\` in \`If-None-Match\`; unmodified data gets 304 without a body, which
  counts as a quarter of a request. All responses but exports are compressed as zstd, br or gzip,
  as \`Accept-Encoding\` allows.
- **Historical data**: \`Accept-Datetime\` requests any dataset as of an instant.
- **Rate limits**: \`RateLimit\` has the remaining requests; beyond them, 429 has \`Retry-After\`.
  A response that has to be created costs one request for each hundred records of JSON, and for
  fewer records of other formats: 50 of CSV, Arrow or Parquet, 10 of XLSX.`;
const LICENSE = { name: 'MIT', identifier: 'MIT' };
const BEARER_SECURITY_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description: 'A token that `npm start` prints or `tenor token create` creates.',
};

const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = createLookupTable({
  quotes: 'Quotes of bills and bonds',
  funds: 'Mutual funds',
  alternate: 'Statistics of the payment sector',
  datasets: 'Datasets that the publisher has declared',
  aligned: 'Figures of several datasets in one table',
  [DEFAULT_TAG]: 'Publications, corrections and retirements',
  discovery: 'Datasets, securities, funds and their coverage',
  exports: 'Complete datasets as files',
  sdmx: 'Series as messages of SDMX',
  [LINK_TAG]: 'Data for programs that can send no token',
  [HEALTH_TAG]: 'For balancers and orchestrators; no token is needed',
});

function buildTags(catalogue: readonly Dataset[], operations: readonly Operation[]): object[] {
  const scopes = catalogue.map(({ scope }) => scope as string);
  const tags = [...operations, ...SDMX_OPERATIONS].map(({ tag = DEFAULT_TAG }) => tag);
  const names = new Set([...scopes, ...tags, LINK_TAG, HEALTH_TAG]);
  return [...names].map((name) => ({ name, description: TAG_DESCRIPTIONS[name] ?? name }));
}
