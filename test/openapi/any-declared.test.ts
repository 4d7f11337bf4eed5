import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import { buildDatasetDocument, buildOpenApiDocument } from '../../src/openapi/document.ts';
import { DECLARATION } from '../support/declaring-store.ts';

const declare = (count: number) => [
  ...catalogue,
  ...Array.from({ length: count }, (_, index) =>
    createDeclaredDataset({ ...DECLARATION, name: `dataset-number-${index}` }),
  ),
];

interface Document {
  readonly paths: Readonly<Record<string, { readonly get: { parameters: { name: string }[] } }>>;
}

/** How many references a document has, none of which leads nowhere. */
function countReferences(document: object): number {
  const references = JSON.stringify(document).match(/(?<="\$ref":"#\/)[^"]*/g) ?? [];
  for (const reference of new Set(references))
    expect(document).toHaveProperty(reference.split('/'));
  return references.length;
}

describe('the OpenAPI document', () => {
  test('describes up to a hundred declared datasets one by one', () => {
    const { paths } = buildOpenApiDocument(declare(100), '1') as Document;
    expect(paths).toContainKeys(['/datasets/dataset-number-0', '/datasets/dataset-number-99']);
    expect(paths).not.toContainKey('/datasets/{name}');
  });

  test('describes more than a hundred declared datasets by one path, and has at most 2 MB with a thousand', () => {
    const document = buildOpenApiDocument(declare(1_000), '1') as Document;
    const { length } = JSON.stringify(document);
    expect(length).toBeLessThan(2_000_000);
    expect(document.paths).not.toContainKey('/datasets/dataset-number-0');
    const [name, from] = document.paths['/datasets/{name}']?.get.parameters ?? [];
    expect([name, from]).toMatchObject([
      { name: 'name', in: 'path', required: true },
      { name: 'from', in: 'query', required: false },
    ]);
    expect(countReferences(document)).toBeGreaterThan(500);
  });
});

test('the document of each dataset has its paths, and no reference that leads nowhere', () => {
  for (const dataset of declare(1)) {
    if (dataset.shape === 'reference') continue;
    const document = buildDatasetDocument(dataset, '1') as Document;
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining([...dataset.paths]));
    expect(countReferences(document)).toBeGreaterThan(10);
  }
});
