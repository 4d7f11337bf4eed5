import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { datasets } from '../../src/catalogue/datasets/datasets.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { listServedForms, OBSERVATIONS_PATH } from '../../src/catalogue/model/observations.ts';
import type { Operation } from '../../src/catalogue/model/operation.ts';
import { acceptDatetime, type Parameter } from '../../src/catalogue/model/parameter.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { readFixture } from '../support/fixtures.ts';
import { createDocumentReader, escapePointer } from '../support/openapi-document.ts';
import { buildCorrection, publishAt } from '../support/publish-at.ts';
import { createTestRoutes } from '../support/request-context.ts';
import { createFilledStore } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let service: TestServer;
// biome-ignore lint/suspicious/noExplicitAny: a document is read as what it is
let document: any;
let reader: ReturnType<typeof createDocumentReader>;

beforeAll(async () => {
  const store = await createFilledStore();
  service = await startTestServer(store);
  const response = await service.request('/openapi.json', { authorization: '' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  document = await response.json();
  reader = createDocumentReader(document);
  // They add datasets to later documents.
  await store.publish(datasets, readFixture(datasets));
  for (const dataset of catalogue) {
    const [first = {}] = readFixture(dataset);
    await publishAt(store, Date.now(), dataset, { records: [buildCorrection(dataset, first)] });
  }
});
afterAll(() => service.stop());

const resolveReference: typeof reader.resolveReference = (part) => reader.resolveReference(part);
const isValid: typeof reader.isValid = (pointer, value) => reader.isValid(pointer, value);

/** What a description says of requests, by the shape of the dataset. */
const MEANINGS = {
  quotes: [
    'Without `date`, `from` and `to`, the newest date in the data',
    'with `symbol`, the newest quote of each security',
    'If nothing matches',
    '200 with an empty list',
  ],
  fund: ['`fund_id` is needed', '`no fund_id provided`', '`no_record_found`'],
  series: ['newest period first'],
  reference: [],
} as const;

function assertParametersDescribed(
  path: string,
  { pathParameters = {}, parameters }: Pick<Operation, 'pathParameters' | 'parameters'>,
): void {
  const described = document.paths[path].get.parameters.filter(
    (parameter: { in?: string }) => parameter.in !== undefined,
  );
  const declared = Object.entries({ ...pathParameters, ...parameters });
  expect(described.map(({ name }: { name: string }) => name)).toEqual(
    declared.map(([name]) => name),
  );
  for (const [index, [name, { requirement, isRequired, parse }]] of declared.entries()) {
    const { description, example, required } = described[index];
    expect(description).toContain(requirement);
    const { default: value } = described[index].schema;
    if (value !== undefined) expect(description).toEndWith(` Default: ${value}.`);
    expect(parse(String(example))).toBeDefined();
    expect(required).toBe(name in pathParameters || isRequired === true);
    expect(isValid(`/paths/${escapePointer(path)}/get/parameters/${index}/schema`, example)).toBe(
      true,
    );
  }
}

/** Lists of securities and funds include reference data; a series is served by its name, too. */
const served = catalogue.flatMap(listServedForms);

test('parameters name their values apart from fields of the same name, which generators of clients name too', () => {
  const schemas: Record<string, { properties?: Record<string, object> }> =
    document.components.schemas;
  // biome-ignore lint/suspicious/noExplicitAny: a document is read as what it is
  const operations = Object.values<any>(document.paths).map((path) => path.get);
  const inline = operations.flatMap(({ operationId, parameters }) =>
    parameters
      .filter((each: { schema?: object }) => JSON.stringify(each.schema ?? {}).includes('"enum"'))
      .map(({ name }: { name: string }) => `${operationId} ${name}`),
  );
  expect(inline).toEqual([]);
  const toTypeName = (name: string) =>
    name.replaceAll(/(?:^|[^a-zA-Z0-9]+)(\w)/g, (_, letter) => letter.toUpperCase());
  const names = Object.keys(schemas).map(toTypeName);
  expect(names.filter((name) => name.startsWith('Parameter')).length).toBeGreaterThan(100);
  expect(new Set(names).size).toBe(names.length);
  const fields = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.keys(properties).map((field) => toTypeName(`${name}-${field}`)),
  );
  expect(fields.filter((name) => names.includes(name))).toEqual([]);
});

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1 and has exactly the paths of the routes', () => {
    expect(document.openapi).toBe('3.1.0');
    // OpenBB's endpoints and the Model Context Protocol describe themselves.
    const routes = createTestRoutes().filter(
      (route) =>
        !('allowsAnyHeader' in route || 'takesPost' in route) &&
        (!('getDocument' in route) || route.isProbe === true),
    );
    // One route has all addresses of SDMX.
    const unlisted = [OBSERVATIONS_PATH, '/sdmx/{path}'];
    const paths = routes.map(({ path }) => path).filter((path) => !unlisted.includes(path));
    const described = Object.keys(document.paths).filter((path) => !path.startsWith('/sdmx/'));
    expect(described).toEqual(paths);
    const ids = Object.values<{ get: { operationId: string } }>(document.paths).map(
      ({ get }) => get.operationId,
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  describe.each(served.flatMap((dataset) => dataset.paths.map((path) => [path, dataset] as const)))(
    '%s',
    (path, dataset) => {
      const [record = {}] = readFixture(dataset);
      const query = dataset.shape === 'fund' ? `?fund_id=${record.fund_id}` : '';

      test('has every error with its body and headers, and the bearer token', () => {
        const { responses, security } = document.paths[path].get;
        expect(security).toEqual([{ bearer: [] }]);
        expect(document.components.securitySchemes.bearer).toMatchObject({ scheme: 'bearer' });
        const missing = path.startsWith('/datasets/') ? ['404'] : [];
        const statuses = ['200', '304', '400', '401', '403', '406', '412', '429', '500', '503'];
        expect(Object.keys(responses)).toEqual([...statuses, ...missing].toSorted());
        const mediaTypes = Object.values(RESPONSE_FORMATS).map(({ mediaType }) => mediaType);
        expect(Object.keys(responses[200].content)).toEqual(mediaTypes);
        for (const [status, response] of Object.entries(responses)) {
          const { headers, content } = resolveReference(response);
          expect(Object.keys(headers)).toContain('X-Request-Id');
          if (status === '304') {
            expect(content).toBeUndefined();
            continue;
          }
          for (const header of Object.values(headers))
            expect(resolveReference(header).schema).toBeDefined();
          expect(Object.keys(content['application/json'].examples).length).toBeGreaterThan(0);
          if (status === '429' || status === '503') expect(headers['Retry-After']).toBeDefined();
        }
      });

      test('has examples that match their schemas', () => {
        const { responses } = document.paths[path].get;
        for (const [status, response] of Object.entries(responses)) {
          const { content } = resolveReference(response);
          if (!content) continue;
          const { $ref } = response as { $ref?: string };
          const location =
            $ref?.slice(1) ?? `/paths/${escapePointer(path)}/get/responses/${status}`;
          const pointer = `${location}/content/application~1json/schema`;
          for (const example of Object.values<{ value: unknown }>(
            content['application/json'].examples,
          )) {
            expect([status, isValid(pointer, example.value)]).toEqual([status, true]);
          }
          expect(isValid(pointer, { status: 'ok', data: 7 })).toBe(false);
        }
      });

      test('says what a request means, and whether a success has a message', async () => {
        const [canonical] = dataset.paths;
        const { description } = document.paths[canonical].get;
        for (const sentence of MEANINGS[dataset.shape]) expect(description).toContain(sentence);
        const body = await service.getJson(path + query);
        expect(description).toContain(
          'message' in body ? 'has `message`, an empty string' : 'and no `message`',
        );
        const own = catalogue.find(({ name }) => name === dataset.name) ?? dataset;
        expect(document.info.description.includes(dataset.title)).toBe(own.hasMessage);
      });

      test('describes each parameter with its requirement and a valid example', () => {
        assertParametersDescribed(path, { pathParameters: {}, parameters: dataset.parameters });
      });

      test('describes the headers of requests and responses', () => {
        const { parameters, responses } = document.paths[path].get;
        const headers = parameters
          .map(resolveReference)
          .filter((part: { in: string }) => part.in === 'header');
        expect(headers.map(({ name }: { name: string }) => name)).toEqual([
          'Accept-Datetime',
          'Tenor-Revision',
          'Prefer',
          'If-None-Match',
          'If-Modified-Since',
        ]);
        const [header] = headers;
        expect(header).toMatchObject({ name: 'Accept-Datetime', in: 'header', required: false });
        expect(header.schema).toEqual(acceptDatetime.schema);
        expect(header.description).toContain(acceptDatetime.requirement);
        expect(acceptDatetime.parse(header.example)).toBeDefined();
        expect(Object.keys(responses[200].headers)).toEqual([
          'X-Request-Id',
          'traceresponse',
          'Tenor-Revision',
          'Tenor-Published-At',
          'Tenor-Since-Published-At',
          'Tenor-Unconfirmed-Since',
          'Vary',
          'Memento-Datetime',
          'Link',
          'Repr-Digest',
          'Tenor-Total-Count',
          'Preference-Applied',
          'ETag',
          'Last-Modified',
          'Content-Disposition',
          ...(path.startsWith('/datasets/') ? ['Deprecation', 'Tenor-Units'] : []),
          'RateLimit-Policy',
          'RateLimit',
        ]);
        const messages = Object.values<{ summary: string }>(
          responses[400].content['application/json'].examples,
        );
        expect(messages.map(({ summary }) => summary).join()).toContain('"Accept-Datetime"');
      });
    },
  );

  const operations = createTestRoutes().flatMap((route) =>
    'operation' in route && route.operation ? [[route.path, route.operation] as const] : [],
  );
  describe.each<readonly [string, Operation]>(operations)('%s', (path, operation) => {
    test('has every error with its body and headers, and the bearer token', () => {
      const { responses, security } = document.paths[path].get;
      expect(security).toEqual([{ bearer: [] }, ...(operation.isOpen ? [{}] : [])]);
      const missing = path.includes('{') ? ['404'] : [];
      const parts = operation.fileFormats ? ['206', '416'] : [];
      const conditional = operation.isEventStream ? [] : ['304', '412'];
      const always = ['200', '400', '401', '403', '429', '500', '503', ...conditional];
      const tables = operation.isTabular ? ['406'] : [];
      const long = operation.maxAddressBytes ? ['414'] : [];
      const statuses = [...always, ...missing, ...parts, ...tables, ...long].toSorted();
      expect(Object.keys(responses).toSorted()).toEqual(statuses);
      for (const [status, response] of Object.entries(responses)) {
        const { headers, content } = resolveReference(response);
        expect(Object.keys(headers)).toContain('X-Request-Id');
        if (status === '304') continue;
        if (operation.fileFormats && status < '300') {
          expect(Object.keys(content)).toEqual(
            operation.fileFormats.map(({ mediaType }) => mediaType),
          );
          continue;
        }
        if (operation.isEventStream && status === '200') {
          expect(Object.keys(content)).toEqual(['text/event-stream']);
          continue;
        }
        expect(Object.keys(content['application/json'].examples).length).toBeGreaterThan(0);
      }
      expect(Object.keys(responses[200].headers)).toContain('Tenor-Revision');
    });

    test('describes the actual response and its example', async () => {
      if (operation.fileFormats || operation.isEventStream) return;
      const location = `/paths/${escapePointer(path)}/get/responses/200/content/application~1json`;
      const { examples } = document.paths[path].get.responses[200].content['application/json'];
      expect(isValid(`${location}/schema`, examples.ok.value)).toBe(true);
      const required = Object.entries<Parameter>(operation.parameters)
        .filter(([, { isRequired }]) => isRequired)
        .map(
          ([name, { example }]) =>
            `${name}=${name === 'symbol' ? 'CEDARTFC1' : encodeURIComponent(String(example))}`,
        );
      const query = required.length === 0 ? '' : `?${required.join('&')}`;
      const targets = catalogue.map(
        ({ name }, index) =>
          path.replace('{n}', String(index + 1)).replace('{dataset}', name) + query,
      );
      for (const target of new Set(targets)) {
        const body = await service.getJson(target);
        expect(isValid(`${location}/schema`, body)).toBe(true);
        // The fields of an aligned table are those that a request names.
        if (operation.isDocument || operation.name === 'aligned') continue;
        const [first] = [body.data].flat();
        // Every field is required, and no other is allowed.
        const incomplete = Object.keys(first).map((name) => ({ ...first, [name]: undefined }));
        for (const entry of [...incomplete, { ...first, more: 1 }]) {
          const part = JSON.parse(JSON.stringify(entry));
          const data = Array.isArray(body.data) ? [part] : part;
          expect(isValid(`${location}/schema`, { status: 'ok', data })).toBe(false);
        }
      }
    });

    test('describes each parameter with its requirement and a valid example', () => {
      assertParametersDescribed(path, operation);
    });
  });
});
