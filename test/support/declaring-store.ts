import { type DeclaredDatasets, NONE_DECLARED } from '../../src/catalogue/catalogues.ts';
import { onlineBankingAnnualVolume } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type {
  Declaration,
  DeclaredDataset,
  ShippedDeclaration,
} from '../../src/catalogue/model/declaration.ts';
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

const {
  path: _,
  example: __,
  chart: ___,
  ...SHIPPED_PART
} = DECLARED.declaration as ShippedDeclaration;
export const DECLARATION = { ...SHIPPED_PART, scope: 'datasets' } as Declaration;

/** A declaration as a store gives it. */
export function declaredAt(revision: number, declaration = DECLARATION): DeclaredDataset {
  return { declaration, revision, publishedAt: '2026-01-01T00:00:00.000Z', addedMeasures: [] };
}

/** Each call reads them anew, as a store does. */
export async function readDeclarations(revision: number): Promise<DeclaredDatasets> {
  await Bun.sleep(0);
  if (revision < DECLARED_AT) return NONE_DECLARED;
  return revision < RETIRED_AT
    ? {
        since: DECLARED_AT,
        declarations: [declaredAt(DECLARED_AT, structuredClone(DECLARATION))],
        retired: [],
      }
    : { since: RETIRED_AT, declarations: [], retired: [declaredAt(DECLARED_AT)] };
}
