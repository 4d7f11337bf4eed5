import type { Dataset } from '../catalogue/model/dataset.ts';
import { buildOpenApiDocument } from '../openapi/document.ts';
import { VERSION } from '../version.ts';
import { createMcpRoute } from './mcp/mcp-route.ts';
import { createHealthRoutes } from './monitoring/health-routes.ts';
import { createOpenBbRoutes } from './openbb/routes.ts';
import { createChangesRoutes } from './operations/changes.ts';
import { createCorrectionRoutes } from './operations/corrections.ts';
import { createDataPackageRoute } from './operations/data-package.ts';
import { createDiscoveryRoutes } from './operations/discovery.ts';
import { createEventsRoute } from './operations/events.ts';
import { createExportRoutes } from './operations/exports.ts';
import { createFigureRoutes } from './operations/figures.ts';
import { createLinkRoute } from './operations/links.ts';
import { createRevisionRoutes } from './operations/revisions.ts';
import { createTargetResponder } from './respond-to-target.ts';
import { documentResponse } from './responses/response.ts';
import type { DataRoute, Route } from './route.ts';
import { createDocsRoutes } from './static/docs/routes.ts';
import { createExplorerRoutes } from './static/explorer/routes.ts';

/** Every route, from the catalogue. */
export function createRoutes(catalogue: readonly Dataset[]): Route[] {
  const document = documentResponse(JSON.stringify(buildOpenApiDocument(catalogue, VERSION)));
  const dataRoutes = createDataRoutes(catalogue);
  const respondToTarget = createTargetResponder(dataRoutes);
  return [
    ...dataRoutes,
    createEventsRoute(),
    createLinkRoute(respondToTarget),
    ...createOpenBbRoutes(catalogue, respondToTarget),
    ...createHealthRoutes(),
    { path: '/openapi.json', getDocument: () => document },
    createMcpRoute(catalogue, respondToTarget),
    ...createDocsRoutes(),
    ...createExplorerRoutes(),
  ];
}

/** The routes of data: those that a target may name for which another route responds. */
export function createDataRoutes(catalogue: readonly Dataset[]): DataRoute[] {
  const datasets = catalogue
    .filter(({ shape }) => shape !== 'reference')
    .flatMap((dataset) => dataset.paths.map((path) => ({ path, dataset })));
  return [
    ...datasets,
    ...createDiscoveryRoutes(catalogue),
    ...createFigureRoutes(),
    ...createExportRoutes(catalogue),
    createDataPackageRoute(catalogue),
    ...createRevisionRoutes(catalogue),
    ...createCorrectionRoutes(catalogue),
    ...createChangesRoutes(catalogue),
  ];
}
