import { ACCEPT_DATETIME, acceptDatetime } from '../catalogue/accept-datetime.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import { allowedNames, failures, messageOf } from '../catalogue/failures.ts';
import type { Operation } from '../catalogue/operation.ts';
import type { Parameter, Parameters } from '../catalogue/parameter.ts';
import { representations } from '../catalogue/representation.ts';
import type { HeaderName, RequestHeaderName } from './openapi-headers.ts';
import { headerReferences, requestHeaderReferences } from './openapi-headers.ts';
import {
  errorExamples,
  failure,
  filesOf,
  RATES,
  sharedReferences,
  success,
} from './openapi-responses.ts';
import { successExample, successOf, successSchema } from './schema.ts';

/** Where operations are listed that do not say so themselves. */
export const LEDGER = 'revisions';

const { json: _, ...otherForms } = representations;
const CONDITIONS = ['If-None-Match', 'If-Modified-Since'] as const;
const MEMENTO = ['Memento-Datetime', 'Link'] as const;
const REVISION = ['Tenor-Revision', 'Tenor-Unconfirmed-Since'] as const;
const DATA_HEADERS = [
  ...REVISION,
  'ETag',
  'Last-Modified',
  'Vary',
  'Content-Disposition',
  ...MEMENTO,
  'Tenor-Total-Count',
  'Preference-Applied',
] as const;

/** The operation that answers with a dataset; aliases are numbered from 1 on. */
export function dataOperation(dataset: Dataset, alias: number): object {
  const { name, title, meaning, notes, scope, parameters } = dataset;
  const [path] = dataset.paths;
  return {
    operationId: alias === 0 ? name : `${name}-${alias + 1}`,
    summary: alias === 0 ? title : `${title} (alias)`,
    description: alias === 0 ? [meaning, ...notes].join('\n\n') : `Identical to \`${path}\`.`,
    tags: [scope],
    security: [{ bearer: [] }],
    parameters: [
      ...queryParameters(parameters),
      ...requestHeaderReferences([ACCEPT_DATETIME, 'Prefer', ...CONDITIONS]),
    ],
    responses: {
      200: success(title, DATA_HEADERS, dataBody(dataset), Object.values(otherForms)),
      400: failure(['unknown_parameter', 'bad_header'], [unknown(parameters), BAD_INSTANT]),
      ...NOT_WRITABLE,
      ...sharedReferences(),
    },
  };
}

/** Any other operation: it answers with JSON, with a table in any form, or with a file. */
export function otherOperation(operation: Operation): object {
  const {
    name,
    title,
    meaning,
    tag = LEDGER,
    segments,
    parameters,
    past,
    files,
    table,
  } = operation;
  const instant: RequestHeaderName[] = past ? [ACCEPT_DATETIME] : [];
  const count: RequestHeaderName[] = table ? ['Prefer'] : [];
  // What is told from the ledger alone has no date of its own.
  const conditions: readonly RequestHeaderName[] = table || files ? CONDITIONS : ['If-None-Match'];
  const parts: RequestHeaderName[] = files ? ['Range', 'If-Range'] : [];
  const isNamed = Object.keys(segments).length > 0;
  return {
    operationId: name,
    summary: title,
    description: meaning,
    tags: [tag],
    security: [{ bearer: [] }],
    parameters: [
      ...Object.entries(segments).map(([segment, each]) => parameter('path', segment, each)),
      ...queryParameters(parameters),
      ...requestHeaderReferences([...instant, ...count, ...conditions, ...parts]),
    ],
    responses: {
      ...(files ? fileResponses(operation) : jsonResponse(operation)),
      400: failure(
        past ? ['unknown_parameter', 'bad_header'] : ['unknown_parameter'],
        past ? [unknown(parameters), BAD_INSTANT] : [unknown(parameters)],
      ),
      ...(isNamed && { 404: failure(['not_found'], [messageOf('not_found')]) }),
      ...(table && NOT_WRITABLE),
      ...sharedReferences(),
    },
  };
}

const TOO_LONG = { form: 'xlsx', why: 'has a text that is too long for a cell' };
const NOT_WRITABLE = {
  [failures.not_writable.status]: failure(['not_writable'], [messageOf('not_writable', TOO_LONG)]),
};

const BAD_INSTANT = messageOf('bad_header', {
  header: ACCEPT_DATETIME,
  allowed: acceptDatetime.rule,
});

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

function jsonResponse({ title, data, example, past, parameters, table }: Operation): object {
  const examples = { ok: { summary: 'Success', value: { status: 'ok', data: example } } };
  const body = { schema: successOf({ data }), examples };
  if (table) return { 200: success(title, DATA_HEADERS, body, Object.values(otherForms)) };
  // A list that a parameter leads through has links to its parts.
  const more: readonly HeaderName[] = past ? MEMENTO : parameters.before ? ['Link'] : [];
  const names: HeaderName[] = [...REVISION, 'ETag', 'Vary', ...more];
  return { 200: success(title, names, body) };
}

function fileResponses({ title, files = [] }: Operation): object {
  const names: HeaderName[] = ['X-Request-Id', 'Tenor-Revision', 'ETag', 'Last-Modified', 'Vary'];
  const file: HeaderName[] = ['Content-Disposition', 'Accept-Ranges', ...MEMENTO];
  const told: HeaderName[] = [...names, ...file, ...RATES];
  const content = filesOf(files);
  const unmet = failure(
    ['range_not_satisfiable'],
    [messageOf('range_not_satisfiable')],
    ['Content-Range', ...RATES],
  );
  return {
    200: { description: title, headers: headerReferences(told), content },
    206: {
      description: 'The part of the file that `Range` asks for',
      headers: headerReferences([...told, 'Content-Range']),
      content,
    },
    [failures.range_not_satisfiable.status]: unmet,
  };
}

function queryParameters(parameters: Parameters): object[] {
  return Object.entries(parameters).map(([name, declared]) => parameter('query', name, declared));
}

function parameter(place: 'query' | 'path', name: string, declared: Parameter): object {
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

function unknown(parameters: Parameters): string {
  const allowed = allowedNames(Object.keys(parameters));
  return messageOf('unknown_parameter', { parameter: 'colour', allowed });
}
