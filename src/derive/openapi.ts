import { ACCEPT_DATETIME, acceptDatetime } from '../catalogue/accept-datetime.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import { allowedNames, messageOf } from '../catalogue/failures.ts';
import type { Operation } from '../catalogue/operation.ts';
import type { Parameter, Parameters } from '../catalogue/parameter.ts';
import { oneRevision, revisionList } from '../catalogue/revisions.ts';
import {
  errorExamples,
  failure,
  headers,
  sharedReferences,
  sharedResponses,
  success,
} from './openapi-responses.ts';
import { errorSchema, recordSchema, successExample, successOf, successSchema } from './schema.ts';

/** The OpenAPI 3.1 document of the whole service. */
export function openApi(catalogue: readonly Dataset[], version: string): object {
  const operations = [revisionList(catalogue), oneRevision(catalogue)];
  const tags = [...new Set(catalogue.map(({ scope }) => scope)), LEDGER];
  return {
    openapi: '3.1.0',
    info: { title: 'Tenor', version, summary: SUMMARY, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: tags.map((name) => ({ name })),
    paths: Object.fromEntries([
      ...catalogue.flatMap(pathsOf),
      ...operations.map((operation) => [operation.path, { get: ledgerOperation(operation) }]),
    ]),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...Object.fromEntries(catalogue.map((dataset) => [dataset.name, recordSchema(dataset)])),
        error: errorSchema,
      },
      parameters: { [ACCEPT_DATETIME]: parameter('header', ACCEPT_DATETIME, acceptDatetime) },
      headers,
      responses: sharedResponses(),
    },
  };
}

const SUMMARY = 'Bond and bill quotes, fund asset allocation and payment statistics';
const DESCRIPTION = `Read-only: every operation is a GET that answers with JSON, behind a bearer token.
Bodies hold \`status\` and \`data\`, or \`status\` and \`message\` on failure; all else is in headers.
Any method but GET, HEAD and OPTIONS is answered with 405 \`invalid_method\`, an unknown path with
404 \`not_found\`. Every dataset can be asked for as it stood at an instant, with \`Accept-Datetime\`.`;
const LICENSE = { name: 'MIT', identifier: 'MIT' };
const LEDGER = 'revisions';

function pathsOf(dataset: Dataset): [string, object][] {
  return dataset.paths.map((path, index) => [path, { get: dataOperation(dataset, index) }]);
}

function dataOperation(dataset: Dataset, alias: number): object {
  const { name, title, meaning, scope, parameters } = dataset;
  const messages = [
    unknownParameter(parameters),
    messageOf('bad_header', { header: ACCEPT_DATETIME, allowed: acceptDatetime.rule }),
  ];
  return {
    operationId: alias === 0 ? name : `${name}-${alias + 1}`,
    summary: title,
    description: alias === 0 ? meaning : `Identical to \`${dataset.paths[0]}\`.`,
    tags: [scope],
    security: [{ bearer: [] }],
    parameters: [
      ...queryParameters(parameters),
      { $ref: `#/components/parameters/${ACCEPT_DATETIME}` },
    ],
    responses: {
      200: success(
        title,
        ['Tenor-Revision', 'Vary', 'Memento-Datetime', 'Link'],
        dataBody(dataset),
      ),
      400: failure(['unknown_parameter', 'bad_header'], messages),
      ...sharedReferences(),
    },
  };
}

function dataBody(dataset: Dataset): object {
  const schema = successSchema(dataset, { $ref: `#/components/schemas/${dataset.name}` });
  const ok = { ok: { summary: 'Success', value: successExample(dataset) } };
  if (dataset.shape !== 'fund') return { schema, examples: ok };
  const errors = errorExamples(messageOf('no_fund_id'), messageOf('no_record_found'));
  return {
    schema: { oneOf: [schema, { $ref: '#/components/schemas/error' }] },
    examples: { ...ok, ...errors },
  };
}

function ledgerOperation(operation: Operation): object {
  const { name, title, meaning, segments, parameters, data, example } = operation;
  const examples = { ok: { summary: 'Success', value: { status: 'ok', data: example } } };
  const named = Object.entries(segments);
  return {
    operationId: name,
    summary: title,
    description: meaning,
    tags: [LEDGER],
    security: [{ bearer: [] }],
    parameters: [
      ...named.map(([segment, declared]) => parameter('path', segment, declared)),
      ...queryParameters(parameters),
    ],
    responses: {
      200: success(title, ['Tenor-Revision'], { schema: successOf({ data }), examples }),
      400: failure(['unknown_parameter'], [unknownParameter(parameters)]),
      ...(named.length > 0 && { 404: failure(['not_found'], [messageOf('not_found')]) }),
      ...sharedReferences(),
    },
  };
}

function queryParameters(parameters: Parameters): object[] {
  return Object.entries(parameters).map(([name, declared]) => parameter('query', name, declared));
}

function parameter(place: 'query' | 'header' | 'path', name: string, declared: Parameter): object {
  const { meaning, rule, schema, example, missing } = declared;
  return {
    name,
    in: place,
    description: `${meaning}. Must be ${rule}.`,
    // A missing fund_id is answered, with status 200 and an error: so says the specification.
    required: place === 'path' || missing !== undefined,
    schema,
    example: schema.type === 'integer' ? Number(example) : example,
  };
}

function unknownParameter(parameters: Parameters): string {
  const allowed = allowedNames(Object.keys(parameters));
  return messageOf('unknown_parameter', { parameter: 'colour', allowed });
}
