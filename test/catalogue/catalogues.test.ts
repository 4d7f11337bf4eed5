import { describe, expect, test } from 'bun:test';
import {
  Catalogue,
  Catalogues,
  getShippedCatalogue,
  readNewestCatalogue,
} from '../../src/catalogue/catalogues.ts';
import { DECLARED, declaredAt, readDeclarations, SHIPPED } from '../support/declaring-store.ts';

function createCatalogues() {
  const reads: number[] = [];
  const declarations = (revision: number) => {
    reads.push(revision);
    return readDeclarations(revision);
  };
  return { catalogues: new Catalogues(SHIPPED, { declarations }), reads };
}

describe('the catalogues of a database', () => {
  test('are the same object for all revisions between two declarations', async () => {
    const { catalogues } = createCatalogues();
    const of = await Promise.all([1, 2, 3, 4, 5, 6].map((each) => catalogues.prepare(each)));
    expect(of.map((catalogue) => of.indexOf(catalogue))).toEqual([0, 0, 2, 2, 4, 4]);
    expect(of.map((catalogue) => catalogue.find(DECLARED.name)?.title)).toEqual([
      ...[undefined, undefined, DECLARED.title, DECLARED.title, undefined, undefined],
    ]);
    expect(of[0]).toBe(getShippedCatalogue(SHIPPED));
  });

  test('are built once for the revisions that are known to lie between', async () => {
    const { catalogues, reads } = createCatalogues();
    expect(catalogues.at(4)).toBeUndefined();
    const catalogue = await catalogues.prepare(4);
    expect(catalogues.at(3)).toBe(catalogue);
    expect(catalogues.at(5)).toBeUndefined();
    await catalogues.prepare(3);
    expect(reads).toEqual([4]);
  });

  test('are current from the revision on that a server has moved on to, and never go back', async () => {
    const { catalogues } = createCatalogues();
    const declared = await catalogues.prepare(4);
    expect(catalogues.current).toBe(getShippedCatalogue(SHIPPED));
    await catalogues.advanceTo(4);
    await catalogues.advanceTo(2);
    expect(catalogues.current).toBe(declared);
  });

  test('are forgotten but for the last ones, and the current one is not', async () => {
    const declarations = (since: number) => ({ since, declarations: [], retired: [] });
    const catalogues = new Catalogues(SHIPPED, { declarations });
    await catalogues.advanceTo(1);
    const [first, second] = [await catalogues.prepare(1), await catalogues.prepare(2)];
    for (let revision = 3; revision <= 50; revision++) await catalogues.prepare(revision);
    expect([catalogues.at(1), catalogues.at(2)]).toEqual([first, undefined]);
    expect(catalogues.at(50)).toBeDefined();
    expect(await catalogues.prepare(2)).not.toBe(second);
  });

  test('fail to be built if declarations cannot be read, and are built later', async () => {
    let isReachable = false;
    const declarations = async (revision: number) => {
      if (!isReachable) throw new Error('unreachable');
      return readDeclarations(revision);
    };
    const catalogues = new Catalogues(SHIPPED, { declarations });
    await expect(catalogues.advanceTo(4)).rejects.toThrow('unreachable');
    expect(catalogues.current.find(DECLARED.name)).toBeUndefined();
    isReachable = true;
    await catalogues.advanceTo(4);
    expect(catalogues.current.get(DECLARED.name).title).toBe(DECLARED.title);
  });
});

test('a catalogue has the declared datasets after the shipped ones, and no others', () => {
  const declared = { since: 3, declarations: [declaredAt(3)], retired: [] };
  const catalogue = new Catalogue(SHIPPED, declared);
  expect(catalogue.datasets.map(({ name }) => name)).toEqual([
    ...SHIPPED.map(({ name }) => name),
    DECLARED.name,
  ]);
  expect(() => catalogue.get('gold')).toThrow('no dataset is called gold');
});

test('the newest catalogue is that of the newest revision', async () => {
  const reader = { revision: async () => 4, declarations: readDeclarations };
  expect((await readNewestCatalogue(SHIPPED, reader)).find(DECLARED.name)).toBeDefined();
});
