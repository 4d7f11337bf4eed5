import type { Dataset } from '../../catalogue/model/dataset.ts';
import { buildOpenApiDocument } from '../../openapi/document.ts';
import { VERSION } from '../../version.ts';
import type { Readiness } from '../monitoring/readiness.ts';
import { createHealthRoutes } from '../monitoring/readiness.ts';
import {
  createCatalogueRoute,
  createDataPackageRoute,
} from '../operations/catalogue/catalogue-routes.ts';
import { createChangesRoute } from '../operations/changes/changes-route.ts';
import { createCorrectionsRoute } from '../operations/corrections/corrections-route.ts';
import { createDatasetRoutes } from '../operations/datasets/dataset-routes.ts';
import type { EventStreams } from '../operations/events/event-streams.ts';
import { createEventsRoute } from '../operations/events/events-route.ts';
import { createExportRoute } from '../operations/exports/export-route.ts';
import { createFigureRoutes } from '../operations/figures/figure-routes.ts';
import { createLinkRoute } from '../operations/links/link-route.ts';
import { createListRoutes } from '../operations/lists/list-routes.ts';
import type { SdkSource } from '../operations/mcp/load-sdk.ts';
import { createMcpRoute } from '../operations/mcp/mcp-route.ts';
import { createOpenBbRoutes } from '../operations/openbb/routes.ts';
import { createRevisionRoutes } from '../operations/revisions/revision-routes.ts';
import { createTargetResponder } from '../pipeline/respond-to-target.ts';
import type { Route, TokenRoute } from '../pipeline/route.ts';
import { documentResponse } from '../responses/response.ts';
import { createDocsRoutes } from '../static/docs/routes.ts';
import { createExplorerRoutes } from '../static/explorer/routes.ts';

export interface RouteOptions {
  readonly eventStreams: EventStreams;
  readonly getReadiness: () => Readiness;
  /** Origins of web pages that may send messages to /mcp. */
  readonly mcpOrigins: ReadonlySet<string>;
  /** Where /mcp loads its library from; the installed one by default. */
  readonly sdkSource?: SdkSource | undefined;
  /** Those of public documents, which several servers of a process can share; new by default. */
  readonly documentRoutes?: readonly Route[] | undefined;
}

/** Every route, from the catalogue. */
export function createRoutes(
  catalogue: readonly Dataset[],
  { eventStreams, getReadiness, mcpOrigins, sdkSource, documentRoutes }: RouteOptions,
): Route[] {
  const dataRoutes = createDataRoutes(catalogue);
  const respondToTarget = createTargetResponder(dataRoutes);
  return [
    ...dataRoutes,
    createEventsRoute(eventStreams),
    createLinkRoute(respondToTarget),
    ...createOpenBbRoutes(catalogue, respondToTarget),
    ...createHealthRoutes(getReadiness),
    createMcpRoute(catalogue, respondToTarget, mcpOrigins, sdkSource),
    ...(documentRoutes ?? createDocumentRoutes(catalogue)),
  ];
}

export function createDocumentRoutes(catalogue: readonly Dataset[]): Route[] {
  return [createOpenApiRoute(catalogue), ...createDocsRoutes(), ...createExplorerRoutes()];
}

export function createOpenApiRoute(catalogue: readonly Dataset[]): Route {
  const document = documentResponse(JSON.stringify(buildOpenApiDocument(catalogue, VERSION)));
  return { path: '/openapi.json', getDocument: () => document };
}

/** The routes of data: those that a target may name for which another route responds. */
export function createDataRoutes(catalogue: readonly Dataset[]): TokenRoute[] {
  return [
    ...catalogue.filter(({ shape }) => shape !== 'reference').flatMap(createDatasetRoutes),
    createCatalogueRoute(catalogue),
    ...createListRoutes(),
    ...createFigureRoutes(),
    createExportRoute(catalogue),
    createDataPackageRoute(catalogue),
    ...createRevisionRoutes(catalogue),
    createCorrectionsRoute(catalogue),
    createChangesRoute(catalogue),
  ];
}
