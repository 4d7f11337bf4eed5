import type { Dataset } from '../../catalogue/model/dataset.ts';
import { formatTarget } from '../../catalogue/model/format-target.ts';
import { type Parameters, parameter } from '../../catalogue/model/parameter.ts';
import { HttpError } from '../../http/http-error.ts';
import type { CustomRoute } from '../../http/pipeline/route.ts';
import { parseQuery, splitQuery } from '../../http/request/parse-query.ts';
import { getOrigin } from '../../http/request/request-headers.ts';
import { errorResponse } from '../../http/responses/response.ts';
import { buildAppsJson } from '../../openbb/apps-json.ts';
import { getWidgetPath, type ParameterTexts, type Widget } from '../../openbb/widget.ts';
import { OPTION_LISTS, type OptionList } from '../../openbb/widget-params.ts';
import { buildWidgetsJson, type DataSummary, listWidgets } from '../../openbb/widgets-json.ts';
import { memoize } from '../../shared/memoize.ts';
import { createScopeKey } from '../operation-route.ts';
import { createJsonResponse, deriveResponse, keepInstant } from './derive-response.ts';
import { createDefaultsReader, type ReadDefaults, readSampleDatasets } from './widget-defaults.ts';

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
    async respond({ principal, request }, respondToTarget) {
      const defaults = await readDefaults(principal, respondToTarget);
      const sampleDatasets = await readSampleDatasets(respondToTarget);
      const summary = { defaults, sampleDatasets, origin: getOrigin(request) };
      return createJsonResponse(build(listReadableWidgets(getScopeKey(principal.scopes)), summary));
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
    async respond({ database, request, target: { query } }, respondToTarget) {
      const texts = parseWorkspaceQuery(query, { as_of });
      if (texts instanceof HttpError) return errorResponse(texts);
      const target = formatTarget(operation.path, texts);
      const source = await respondToTarget(target, keepInstant(request));
      if (source.status !== 200) return source;
      return deriveResponse(database, source, 'options', (records) => records.map(toOption));
    },
  };
}

/** The endpoint of a widget: it reads an operation, and shows the records in its own way. */
function createWidgetRoute(widget: Widget, readDefaults: ReadDefaults): CustomRoute {
  const { scope, parameters, toTarget } = widget;
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired);
  return {
    path: getWidgetPath(widget),
    ...(scope && { scope }),
    allowsAnyHeader: true,
    async respond({ database, principal, request, target: { query } }, respondToTarget) {
      const chosen = parseWorkspaceQuery(query, parameters);
      if (chosen instanceof HttpError) return errorResponse(chosen);
      const { headers } = keepInstant(request);
      const texts: Record<string, string> = { ...chosen };
      const missing = required.filter((name) => !Object.hasOwn(texts, name));
      const defaults =
        missing.length === 0
          ? {}
          : await readDefaults(principal, respondToTarget, { texts, headers });
      for (const name of missing) texts[name] = defaults[name] ?? NO_IDENTIFIER;
      const source = await respondToTarget(toTarget(texts), { headers });
      const { name, toRows, chart } = widget;
      if (source.status !== 200 || !(toRows || chart?.isOverTime)) return source;
      return deriveResponse(database, source, name, (records) => {
        const rows = toRows ? records.flatMap((record) => toRows(record, texts)) : records;
        return { status: 'ok', data: chart?.isOverTime ? rows.toReversed() : rows };
      });
    },
  };
}

/** An identifier that nothing has: the widget of an empty database has no rows. */
const NO_IDENTIFIER = '-';

/** Parameters that Workspace sends with every request, whatever a widget declares. */
const WORKSPACE_PARAMETERS = {
  theme: parameter.choice('The theme of the user', ['dark', 'light'], 'dark'),
  raw: parameter.choice('Whether rows are wanted', ['true', 'false'], 'false'),
};

/** Parses the query of a widget: an empty parameter is one that the user has not chosen. */
function parseWorkspaceQuery(query: string, parameters: Parameters): ParameterTexts | HttpError {
  const chosen = query
    .split('&')
    .filter((segment) => /=./.test(segment))
    .join('&');
  const values = parseQuery(splitQuery(chosen), { ...parameters, ...WORKSPACE_PARAMETERS });
  if (values instanceof HttpError) return values;
  const { theme, raw, ...texts } = Object.fromEntries(new URLSearchParams(chosen));
  return texts;
}
