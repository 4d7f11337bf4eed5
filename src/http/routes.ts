import type { Dataset } from '../catalogue/dataset.ts';
import { openApi } from '../derive/openapi.ts';
import { VERSION } from '../version.ts';
import { documentAnswer } from './answers/answer.ts';
import { exportRoutes } from './exports/route.ts';
import { correctionRoutes } from './operations/corrections.ts';
import { discoveryRoutes } from './operations/discovery.ts';
import { ledgerRoutes } from './operations/ledger.ts';
import { docsRoutes } from './pages/docs/route.ts';
import { explorerRoutes } from './pages/explorer/route.ts';
import { segmentsOf } from './request/target.ts';
import type { Route } from './route.ts';

/** Every path that answers, from the catalogue. */
export function routesOf(catalogue: readonly Dataset[]): Route[] {
  const datasets = catalogue.flatMap((dataset) => dataset.paths.map((path) => ({ path, dataset })));
  const document = documentAnswer(JSON.stringify(openApi(catalogue, VERSION)));
  const made = [discoveryRoutes, exportRoutes, ledgerRoutes, correctionRoutes];
  const operations = made.flatMap((routes) => routes(catalogue));
  const openapi = { path: '/openapi.json', document: () => document };
  return [...datasets, ...operations, openapi, ...docsRoutes(), ...explorerRoutes()];
}

/** The route of a path, which must be its own to the letter; undefined where there is none. */
export function routeOf(routes: readonly Route[], path: string): Route | undefined {
  return routes.find((route) =>
    'operation' in route ? segmentsOf(route.operation, path) : route.path === path,
  );
}
