import type { Catalogue } from '../../catalogue/catalogues.ts';
import { DECLARATION_SCHEMA } from '../../catalogue/model/declaration.ts';
import {
  findSuccessors,
  getObservationsPath,
  listServedForms,
} from '../../catalogue/model/observations.ts';
import {
  buildDatasetDocument,
  buildOpenApiDocument,
  listOperations,
} from '../../openapi/document.ts';
import type { EventStreams } from '../../operations/events/event-streams.ts';
import { createEventsRoute } from '../../operations/events/events-route.ts';
import type { ExportCache } from '../../operations/exports/export-cache.ts';
import { ExportFiles } from '../../operations/exports/export-files.ts';
import { createFollowRoute } from '../../operations/follow/follow-route.ts';
import { createHealthRoutes, type Readiness } from '../../operations/health/health-routes.ts';
import { createLedgerRoutes } from '../../operations/ledger/ledger-routes.ts';
import { createLinkRoute, createSignLinkRoute } from '../../operations/links/link-route.ts';
import { loadSdk, type SdkSource } from '../../operations/mcp/load-sdk.ts';
import { createMcpRoute } from '../../operations/mcp/mcp-route.ts';
import { createOpenBbRoutes } from '../../operations/openbb/routes.ts';
import { OPERATIONS } from '../../operations/operations.ts';
import { createOpenReleasesRoute } from '../../operations/releases/releases-route.ts';
import { createSdmxRoute } from '../../operations/sdmx/sdmx-route.ts';
import { memoizeByIdentity } from '../../shared/memoize.ts';
import type { SignIn } from '../../shared/sign-in.ts';
import type { TokenRegistry } from '../../tokens/token-registry.ts';
import { VERSION } from '../../version.ts';
import { type GetDataRoutes, type Route, RouteTable, type TokenRoute } from '../pipeline/route.ts';
import { documentResponse, type HttpResponse } from '../responses/response.ts';
import { createDocsRoutes } from '../static/docs/routes.ts';
import { createExplorerRoutes, createSignInRoute } from '../static/explorer/routes.ts';

export interface RouteOptions {
  /** Those on data; all by default. */
  readonly operations?: typeof OPERATIONS;
  readonly getDataRoutes: GetDataRoutes;
  readonly eventStreams: EventStreams;
  readonly getReadiness: () => Readiness;
  readonly tokens: Pick<TokenRegistry, 'readAll'>;
  /** The address of the server that this one follows. */
  readonly source?: string | undefined;
  /** Origins of web pages that may send messages to /mcp. */
  readonly mcpOrigins: ReadonlySet<string>;
  readonly sdmxAgency: string;
  /** Where /mcp loads its library from; the installed one by default. */
  readonly sdkSource?: SdkSource | undefined;
  /** How the explorer signs in at an OpenID provider, if it can. */
  readonly getSignIn?: (() => SignIn | undefined) | undefined;
  /** Those of public documents, which several servers of a process can share; new by default. */
  readonly documentRoutes?: readonly Route[] | undefined;
}

/** Every route of a catalogue, created once for each. */
export function createRoutes({
  getSignIn,
  documentRoutes = createDocumentRoutes(getSignIn),
  ...options
}: RouteOptions): (catalogue: Catalogue) => RouteTable<Route> {
  const fixedRoutes = [
    createEventsRoute(options.eventStreams),
    ...createLedgerRoutes(),
    createFollowRoute(options.tokens),
    createSignLinkRoute(options.source),
    createLinkRoute(),
    createMcpRoute(options.mcpOrigins, () => loadSdk(options.sdkSource)),
    createSdmxRoute(options.sdmxAgency),
    createSignInRoute(getSignIn),
    ...createHealthRoutes(options.getReadiness),
    ...documentRoutes,
  ];
  const releases = createOpenReleasesRoute();
  // It responds by the route of data with its path.
  const open = new Map<string, Route>([[releases.path, releases]]);
  return memoizeByIdentity((catalogue) => {
    const { datasets } = catalogue;
    return new RouteTable<Route>([
      ...options.getDataRoutes(catalogue).routes.map((route) => open.get(route.path) ?? route),
      ...createOpenBbRoutes(datasets),
      createOpenApiRoute(catalogue, options.operations),
      ...createDatasetDocumentRoutes(catalogue),
      ...fixedRoutes,
    ]);
  });
}

export function createDocumentRoutes(getSignIn?: () => SignIn | undefined): Route[] {
  const explorer = createExplorerRoutes(undefined, getSignIn);
  return [...createDocsRoutes(), DECLARATION_SCHEMA_ROUTE, ...explorer];
}

export function createOpenApiRoute(catalogue: Catalogue, operations = OPERATIONS): Route {
  return { path: '/openapi.json', getDocument: () => getOpenApiDocument(operations)(catalogue) };
}

/** Servers of one process share it. */
const getOpenApiDocument = memoizeByIdentity((operations: typeof OPERATIONS) =>
  memoizeByIdentity(({ datasets }: Catalogue) => {
    const declared = listOperations(datasets, operations);
    return documentResponse(JSON.stringify(buildOpenApiDocument(datasets, VERSION, declared)));
  }),
);

function createDatasetDocumentRoutes({ datasets }: Catalogue): Route[] {
  const successors = findSuccessors(datasets);
  return datasets.flatMap((dataset) => {
    if (listServedForms(dataset).length === 0) return [];
    const { name } = dataset;
    const path = `${getObservationsPath(name)}/openapi.json`;
    const build = () => buildDatasetDocument(dataset, VERSION, successors.get(name));
    let document: HttpResponse | undefined;
    return { path, getDocument: () => (document ??= documentResponse(JSON.stringify(build()))) };
  });
}

const DECLARATION_DOCUMENT = documentResponse(JSON.stringify(DECLARATION_SCHEMA));
const DECLARATION_SCHEMA_ROUTE: Route = {
  path: '/schemas/dataset.json',
  getDocument: () => DECLARATION_DOCUMENT,
};

/** The routes of data of a catalogue, created once for each. */
export function createDataRoutes(
  operations = OPERATIONS,
  exportCache?: ExportCache,
): GetDataRoutes {
  // However many catalogues there are, so many files are created at once.
  const files = new ExportFiles(exportCache);
  return memoizeByIdentity((catalogue) => {
    const routes = operations.flatMap((create) => create(catalogue, files));
    return new RouteTable(routes.map((route): TokenRoute => ({ ...route, catalogue })));
  });
}
