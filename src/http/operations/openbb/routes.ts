import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { formatTarget } from '../../../catalogue/model/format-target.ts';
import { buildAppsJson } from '../../../openbb/apps-json.ts';
import type { Widget } from '../../../openbb/widget.ts';
import { OPTION_LISTS, type OptionList } from '../../../openbb/widget-params.ts';
import { buildWidgetsJson, type DataSummary, listWidgets } from '../../../openbb/widgets-json.ts';
import { memoize } from '../../../shared/memoize.ts';
import { HttpError } from '../../http-error.ts';
import { respondToTarget } from '../../pipeline/respond-to-target.ts';
import type { CustomRoute } from '../../pipeline/route.ts';
import { getOrigin } from '../../request/request-headers.ts';
import { errorResponse } from '../../responses/response.ts';
import { createScopeKey } from '../catalogue/catalogue-routes.ts';
import { createDefaultsReader, readSampleDatasets } from './defaults.ts';
import { createJsonResponse, deriveResponse, keepInstant } from './derive-response.ts';
import { createWidgetRoute, parseWorkspaceQuery } from './widget-route.ts';

/** `widgets.json`, `apps.json` and the endpoints that they name, for OpenBB Workspace. */
export function createOpenBbRoutes(catalogue: readonly Dataset[]): CustomRoute[] {
  const readDefaults = createDefaultsReader(catalogue);
  const getScopeKey = createScopeKey(catalogue);
  const listReadableWidgets = memoize(MAX_SCOPE_SETS, (scopeKey: string) => {
    const scopes = new Set(scopeKey.split(','));
    return listWidgets(catalogue.filter(({ scope }) => scopes.has(scope)));
  });
  const createDeclarationRoute = (
    path: string,
    build: (widgets: readonly Widget[], summary: DataSummary) => unknown,
  ): CustomRoute => ({
    path,
    allowsAnyHeader: true,
    parameters: {},
    async respond(data, client, _, request) {
      const defaults = await readDefaults(data, client);
      const sampleDatasets = await readSampleDatasets(data, client);
      const summary = { defaults, sampleDatasets, origin: getOrigin(request) };
      return createJsonResponse(build(listReadableWidgets(getScopeKey(client.principal)), summary));
    },
  });
  return [
    createDeclarationRoute('/widgets.json', buildWidgetsJson),
    createDeclarationRoute('/apps.json', buildAppsJson),
    ...OPTION_LISTS.map(createOptionsRoute),
    ...listWidgets(catalogue).map((widget) => createWidgetRoute(widget, readDefaults)),
  ];
}

/** There are so many sets of built-in scopes. */
const MAX_SCOPE_SETS = 8;

/** A bare list of what a parameter may be. */
function createOptionsRoute({ path, operation, toOption }: OptionList): CustomRoute {
  const { as_of } = operation.parameters;
  return {
    path,
    scope: operation.scope,
    allowsAnyHeader: true,
    async respond(data, client, { query }, request) {
      const workspaceQuery = parseWorkspaceQuery(query, { as_of });
      if (workspaceQuery instanceof HttpError) return errorResponse(workspaceQuery);
      const target = formatTarget(operation.path, workspaceQuery.texts);
      const source = await respondToTarget(data, client, target, keepInstant(request));
      if (source.status !== 200) return source;
      return deriveResponse(data, source, 'options', (records) => records.map(toOption));
    },
  };
}
