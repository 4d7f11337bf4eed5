import { type DeclaredDatasets, NONE_DECLARED } from '../../src/catalogue/catalogues.ts';
import { onlineBankingAnnualVolume } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { ShippedDeclaration } from '../../src/catalogue/model/declaration.ts';
import type { Store, StoreReader } from '../../src/store/open-store.ts';

/** A dataset that is declared while a server runs; the store has a place for its records. */
export const DECLARED = onlineBankingAnnualVolume;

/** The other datasets, which ship with the program. */
export const SHIPPED = catalogue.filter((dataset) => dataset !== DECLARED);

/** The revisions with the declaration, and with its retirement. */
export const DECLARED_AT = 3;
export const RETIRED_AT = 5;

/** A store whose revisions have declarations. */
export function withDeclarations<S extends Store>(store: S, declarations = readDeclarations): S {
  const reader = (...options: Parameters<Store['reader']>): StoreReader => ({
    ...store.reader(...options),
    declarations,
  });
  return { ...store, reader, reopen: async () => withDeclarations(await store.reopen()) };
}

export const DECLARATION: ShippedDeclaration = {
  ...(DECLARED.declaration as ShippedDeclaration),
  scope: 'datasets',
};

/** Each call reads them anew, as a store does. */
export async function readDeclarations(revision: number): Promise<DeclaredDatasets> {
  await Bun.sleep(0);
  if (revision < DECLARED_AT) return NONE_DECLARED;
  return revision < RETIRED_AT
    ? { since: DECLARED_AT, declarations: [structuredClone(DECLARATION)] }
    : { since: RETIRED_AT, declarations: [] };
}
