import type { Dataset } from '../catalogue/model/dataset.ts';

type Scopes = ReadonlySet<string>;

/** The names of the datasets in a token's scopes. */
export function listReadableDatasets(catalogue: readonly Dataset[], scopes: Scopes): string[] {
  return catalogue.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);
}

/** The scopes of datasets that a token has, as one text: tokens with the same read the same. */
export function createScopeKey(catalogue: readonly Dataset[]): (scopes: Scopes) => string {
  const allScopes = [...new Set(catalogue.map(({ scope }) => scope))];
  return (scopes) => allScopes.filter((scope) => scopes.has(scope)).join();
}
