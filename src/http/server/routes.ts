import type { Catalogue } from '../../catalogue/catalogues.ts';
import { DECLARATION_SCHEMA } from '../../catalogue/model/declaration.ts';
import { findSuccessors } from '../../catalogue/model/observations.ts';
import { buildOpenApiDocument } from '../../openapi/document.ts';
import { createAlignedRoute } from '../../operations/aligned/aligned-route.ts';
import {
  createCatalogueRoute,
  createDataPackageRoute,
} from '../../operations/catalogue/catalogue-routes.ts';
import { createHistoryRoutes } from '../../operations/changes/history-routes.ts';
import { createFigureRoutes } from '../../operations/curve/figure-routes.ts';
import type { EventStreams } from '../../operations/events/event-streams.ts';
import { createEventsRoute } from '../../operations/events/events-route.ts';
import { createExportRoute } from '../../operations/exports/export-route.ts';
import { FileSender } from '../../operations/exports/file-sender.ts';
import { createLedgerRoutes } from '../../operations/ledger/ledger-routes.ts';
import { createLinkRoute } from '../../operations/links/link-route.ts';
import { loadSdk, type SdkSource } from '../../operations/mcp/load-sdk.ts';
import { createMcpRoute } from '../../operations/mcp/mcp-route.ts';
import { createOpenBbRoutes } from '../../operations/openbb/routes.ts';
import {
  createDatasetRoutes,
  UNKNOWN_DATASET_ROUTE,
} from '../../operations/records/dataset-routes.ts';
import { createRevisionRoutes } from '../../operations/revisions/revision-routes.ts';
import { createListRoutes } from '../../operations/securities/list-routes.ts';
import { memoizeByIdentity } from '../../shared/memoize.ts';
import { VERSION } from '../../version.ts';
import { createHealthRoutes, type Readiness } from '../monitoring/readiness.ts';
import type { GetDataRoutes, Route, TokenRoute } from '../pipeline/route.ts';
import { RouteTable } from '../pipeline/route-table.ts';
import { documentResponse } from '../responses/response.ts';
import { createDocsRoutes } from '../static/docs/routes.ts';
import { createExplorerRoutes } from '../static/explorer/routes.ts';

export interface RouteOptions {
  readonly getDataRoutes: GetDataRoutes;
  readonly eventStreams: EventStreams;
  readonly getReadiness: () => Readiness;
  /** Origins of web pages that may send messages to /mcp. */
  readonly mcpOrigins: ReadonlySet<string>;
  /** Where /mcp loads its library from; the installed one by default. */
  readonly sdkSource?: SdkSource | undefined;
  /** Those of public documents, which several servers of a process can share; new by default. */
  readonly documentRoutes?: readonly Route[] | undefined;
}

/** Every route of a catalogue, created once for each. */
export function createRoutes({
  documentRoutes = createDocumentRoutes(),
  ...options
}: RouteOptions): (catalogue: Catalogue) => RouteTable<Route> {
  const fixedRoutes = [
    createEventsRoute(options.eventStreams),
    ...createLedgerRoutes(),
    createLinkRoute(),
    createMcpRoute(options.mcpOrigins, () => loadSdk(options.sdkSource)),
    ...createHealthRoutes(options.getReadiness),
    ...documentRoutes,
  ];
  return memoizeByIdentity((catalogue) => {
    const { datasets } = catalogue;
    return new RouteTable<Route>([
      ...options.getDataRoutes(catalogue).routes,
      ...createOpenBbRoutes(datasets),
      createOpenApiRoute(catalogue),
      ...fixedRoutes,
    ]);
  });
}

export function createDocumentRoutes(): Route[] {
  return [...createDocsRoutes(), DECLARATION_SCHEMA_ROUTE, ...createExplorerRoutes()];
}

export function createOpenApiRoute(catalogue: Catalogue): Route {
  return { path: '/openapi.json', getDocument: () => getOpenApiDocument(catalogue) };
}

/** Servers of one process share it. */
const getOpenApiDocument = memoizeByIdentity(({ datasets }: Catalogue) =>
  documentResponse(JSON.stringify(buildOpenApiDocument(datasets, VERSION))),
);

const DECLARATION_DOCUMENT = documentResponse(JSON.stringify(DECLARATION_SCHEMA));
const DECLARATION_SCHEMA_ROUTE: Route = {
  path: '/schemas/dataset.json',
  getDocument: () => DECLARATION_DOCUMENT,
};

/** The routes of data of a catalogue, created once for each. */
export function createDataRoutes(): GetDataRoutes {
  // However many catalogues there are, so many files are sent at once.
  const sender = new FileSender();
  return memoizeByIdentity(
    (catalogue) =>
      new RouteTable(
        listDataRoutes(catalogue, sender).map((route): TokenRoute => ({ ...route, catalogue })),
      ),
  );
}

function listDataRoutes(catalogue: Catalogue, sender: FileSender): TokenRoute[] {
  const { datasets } = catalogue;
  const successors = findSuccessors(datasets);
  return [
    ...datasets.flatMap((each) => createDatasetRoutes(each, successors.get(each.name))),
    UNKNOWN_DATASET_ROUTE,
    createCatalogueRoute(datasets),
    ...createListRoutes(),
    ...createFigureRoutes(),
    createAlignedRoute(datasets),
    createExportRoute(catalogue, sender),
    createDataPackageRoute(datasets),
    ...createRevisionRoutes(catalogue.listWithRetired()),
    ...createHistoryRoutes(datasets),
  ];
}
