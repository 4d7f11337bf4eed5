import { expect, test } from 'bun:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { catalogue } from '../../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../../src/catalogue/model/create-dataset.ts';
import { buildOpenApiDocument } from '../../../src/openapi/document.ts';

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    'component-name-unique': 'error',
    'no-http-verbs-in-paths': 'error',
    'operation-description': 'error',
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
    'parameter-description': 'error',
    'path-params-defined': 'error',
    'response-contains-header': {
      severity: 'error',
      names: { '2xx': ['X-Request-Id'], '4xx': ['X-Request-Id'], '5xx': ['X-Request-Id'] },
    },
  },
});

/** What is wrong with a document, a line each: the rule, the place, and why. */
async function complaints(document: object): Promise<string[]> {
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ ruleId, location, message }) => {
    return `${ruleId} ${location[0]?.pointer}: ${message}`;
  });
}

test('the OpenAPI document passes the linter, with datasets of any name', async () => {
  const declared = ['error', 'catalogue', 'quotes-2', 'reference'].map((name) =>
    createDeclaredDataset({
      name,
      title: name,
      period: { kind: 'day', field: 'date' },
      measures: [{ field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate' }],
    }),
  );
  expect(await complaints(buildOpenApiDocument([...catalogue, ...declared], '1'))).toEqual([]);
});

test.each([
  ['operation-tag-defined', { tags: [] }],
  ['security-defined', { components: {} }],
  ['no-empty-servers', { servers: [] }],
])('the linter reports a document that violates %s', async (rule, spoilt) => {
  const found = await complaints({ ...buildOpenApiDocument(catalogue, '1.2.3'), ...spoilt });
  expect(found.some((line) => line.startsWith(`${rule} `))).toBe(true);
});

test('the linter reports an example that does not match its schema', async () => {
  const document = JSON.stringify(buildOpenApiDocument(catalogue, '1.2.3'));
  const found = await complaints(JSON.parse(document.replaceAll('"tbill"', '7')));
  expect(found.some((line) => line.startsWith('no-invalid-media-type-examples '))).toBe(true);
});
