import type { Dataset } from '../catalogue/dataset.ts';
import { allowedNames, type FailureName, failures, messageOf } from '../catalogue/failures.ts';
import { errorSchema, recordSchema, successExample, successSchema } from './schema.ts';

/** The OpenAPI 3.1 document of the whole service. */
export function openApi(catalogue: readonly Dataset[], version: string): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Tenor', version, summary: SUMMARY, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(catalogue.map(({ scope }) => scope))].map((name) => ({ name })),
    paths: Object.fromEntries(catalogue.flatMap(pathsOf)),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...Object.fromEntries(catalogue.map((dataset) => [dataset.name, recordSchema(dataset)])),
        error: errorSchema,
      },
      headers,
      responses: Object.fromEntries(
        sharedNames.map((name) => [name, error(name, messageOf(name), shared[name])]),
      ),
    },
  };
}

const SUMMARY = 'Bond and bill quotes, fund asset allocation and payment statistics';
const DESCRIPTION = `Read-only: every operation is a GET that answers with JSON, behind a bearer token.
Bodies hold \`status\` and \`data\`, or \`status\` and \`message\` on failure; all else is in headers.
Any method but GET, HEAD and OPTIONS is answered with 405 \`invalid_method\`, an unknown path with
404 \`not_found\`.`;
const LICENSE = { name: 'MIT', identifier: 'MIT' };

const headers = {
  'X-Request-Id': {
    description: 'Names the request in the logs; a sane one from the client is kept',
    schema: { type: 'string' },
  },
  'Tenor-Revision': {
    description: 'The data revision that the whole reply was made from',
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before asking again',
    schema: { type: 'integer', minimum: 1 },
  },
} as const;

type HeaderName = keyof typeof headers;

/** The failures that any operation can answer with, and what they carry beside a request id. */
const shared = {
  unauthorized: ['WWW-Authenticate'],
  forbidden: [],
  too_many_requests: ['Retry-After'],
  internal_error: [],
  temporarily_unavailable: ['Retry-After'],
} as const satisfies Partial<Record<FailureName, readonly HeaderName[]>>;
const sharedNames = Object.keys(shared) as (keyof typeof shared)[];

function pathsOf(dataset: Dataset): [string, object][] {
  return dataset.paths.map((path, index) => [path, { get: operation(dataset, index) }]);
}

function operation(dataset: Dataset, alias: number): object {
  const { name, title, meaning, scope, parameters } = dataset;
  return {
    operationId: alias === 0 ? name : `${name}-${alias + 1}`,
    summary: title,
    description: alias === 0 ? meaning : `Identical to \`${dataset.paths[0]}\`.`,
    tags: [scope],
    security: [{ bearer: [] }],
    parameters: Object.entries(parameters).map(([parameter, declared]) => ({
      name: parameter,
      in: 'query',
      description: `${declared.meaning}. Must be ${declared.rule}.`,
      // A missing fund_id is answered, with status 200 and an error: so says the specification.
      required: declared.missing !== undefined,
      schema: declared.schema,
      example: declared.schema.type === 'integer' ? Number(declared.example) : declared.example,
    })),
    responses: {
      200: success(dataset),
      400: error('unknown_parameter', unknownParameter(dataset)),
      ...Object.fromEntries(
        sharedNames.map((name) => [
          failures[name].status,
          { $ref: `#/components/responses/${name}` },
        ]),
      ),
    },
  };
}

function success(dataset: Dataset): object {
  const schema = successSchema(dataset, { $ref: `#/components/schemas/${dataset.name}` });
  const ok = { ok: { summary: 'Success', value: successExample(dataset) } };
  const body =
    dataset.shape === 'fund'
      ? {
          schema: { oneOf: [schema, { $ref: '#/components/schemas/error' }] },
          examples: { ...ok, ...errors(messageOf('no_fund_id'), messageOf('no_record_found')) },
        }
      : { schema, examples: ok };
  return {
    description: dataset.title,
    headers: headerRefs(['X-Request-Id', 'Tenor-Revision']),
    content: { 'application/json': body },
  };
}

function unknownParameter({ parameters }: Dataset): string {
  const allowed = allowedNames(Object.keys(parameters));
  return messageOf('unknown_parameter', { parameter: 'colour', allowed });
}

function error(name: FailureName, message: string, more: readonly HeaderName[] = []): object {
  return {
    description: failures[name].meaning,
    headers: headerRefs(['X-Request-Id', ...more]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/error' },
        examples: errors(message),
      },
    },
  };
}

function errors(...messages: readonly string[]): object {
  return Object.fromEntries(
    messages.map((message, index) => [
      index === 0 ? 'error' : `error${index + 1}`,
      { summary: message, value: { status: 'error', message } },
    ]),
  );
}

function headerRefs(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
