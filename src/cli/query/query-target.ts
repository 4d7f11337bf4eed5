import { type Catalogue, getShippedCatalogue } from '../../catalogue/catalogues.ts';
import { catalogue as shippedDatasets } from '../../catalogue/index.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { listServedForms } from '../../catalogue/model/observations.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import { type DataRoute, RouteTable } from '../../http/pipeline/route.ts';
import { createDataRoutes } from '../../http/server/routes.ts';
import { formatNames } from '../../shared/format-names.ts';
import { UsageError } from '../command.ts';
import { formatSuggestion } from '../format-suggestion.ts';

export interface QueryTarget {
  readonly path: string;
  readonly query: string;
  /** The format that a parameter `format` names, which is not part of the query. */
  readonly format?: string;
  readonly title: string;
  /** Whether the catalogue has it; a server may be newer, or have datasets of its own. */
  readonly isKnown: boolean;
  /** The parameters of its query. */
  readonly parameterNames: readonly string[];
  /** Absent if the path is not that of a dataset. */
  readonly dataset?: Dataset;
  /** Whether it comes as a table, of which a record may be several rows. */
  readonly isTabular: boolean;
  readonly rowList?: string;
}

/**
 * Parses an operation by its name or path, then `name=value` for each parameter, also those of the
 * path. With `allPages`, pages have the maximum size unless a limit is given. A name that is not
 * in the catalogue is an error that is returned.
 */
export function parseQueryTarget(
  [operation, ...parameters]: readonly string[],
  allPages: boolean,
  catalogue = SHIPPED,
): QueryTarget | UsageError {
  const routes = listQueriedRoutes(catalogue);
  const pathOperation = findOperation(routes, operation);
  const segments = parameters.filter((text) =>
    Object.keys(pathOperation?.pathParameters ?? {}).some((name) => text.startsWith(`${name}=`)),
  );
  const name = pathOperation ? fillPath(pathOperation, segments) : operation;
  const target = resolvePath(name, routes, catalogue, parameters);
  if (target instanceof UsageError) return target;
  const [path = '', ...pathQuery] = target.split('?');
  const route = new RouteTable(routes).find(path);
  const queryParameters = parameters.filter((text) => !segments.includes(text));
  const { format, pairs } = splitFormat([
    ...pathQuery.flatMap((text) => text.split('&')),
    ...queryParameters.map(encodeParameter),
  ]);
  const isPaged = pairs.some((pair) => /^(?:limit|cursor)=/.test(pair));
  const definition = route?.dataset ?? route?.operation;
  const limit = allPages && !isPaged ? definition?.parameters.limit : undefined;
  return {
    path,
    query: [...pairs, ...(limit ? [`limit=${limit.schema.maximum}`] : [])].join('&'),
    ...(format !== undefined && { format }),
    title: definition?.title ?? path,
    isKnown: definition !== undefined,
    parameterNames: Object.keys(definition?.parameters ?? {}),
    isTabular: route?.dataset !== undefined || route?.operation?.isTabular === true,
    ...(route?.dataset && { dataset: route.dataset }),
    ...(route?.operation?.rowList && { rowList: route.operation.rowList }),
  };
}

/** The names of all operations; those of the path are in capitals, as in `corrections/DATASET`. */
export function listOperationNames(catalogue = SHIPPED): string[] {
  const operations = listQueriedRoutes(catalogue).flatMap(({ operation }) => operation ?? []);
  const names = operations.map(({ name, path }) =>
    path.includes('{')
      ? path.slice(1).replace(/\{(\w+)\}/g, (_, text: string) => text.toUpperCase())
      : name,
  );
  // A dataset may have the name of the operation that lists it.
  return [...new Set([...catalogue.datasets.map(({ name }) => name), ...names])];
}

const SHIPPED = getShippedCatalogue(shippedDatasets);

/** Events do not end, complete datasets are for `tenor export`, and documents are no tables. */
function listQueriedRoutes(catalogue: Catalogue): DataRoute[] {
  return createDataRoutes()(catalogue)
    .routes.filter((route) => 'read' in route)
    .filter(({ operation }) => !operation?.isDocument);
}

/** The operation of that name that has parameters in its path. */
function findOperation(routes: readonly DataRoute[], name = ''): Operation | undefined {
  // Revisions are listed by an operation of the same name.
  return routes
    .flatMap(({ operation }) => operation ?? [])
    .find((operation) => operation.path.startsWith(`/${name}/{`) && operation.name === name);
}

/** The path of an operation, without its first slash. Throws if a parameter of the path is missing. */
function fillPath({ name, path }: Operation, segments: readonly string[]): string {
  return path.slice(1).replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const segment = segments.findLast((text) => text.startsWith(`${parameter}=`));
    const value = segment?.slice(parameter.length + 1);
    if (value) return encodeURIComponent(value);
    throw new UsageError(
      `${name} requires a ${parameter}: ${name}/${parameter.toUpperCase()}, such as ${name}/${shippedDatasets[0]?.name}`,
    );
  });
}

function resolvePath(
  name: string | undefined,
  routes: readonly DataRoute[],
  catalogue: Catalogue,
  parameters: readonly string[],
): string | UsageError {
  // A fragment would not be sent.
  if (name?.startsWith('/')) return name.replaceAll('#', '%23');
  const route = routes.find(({ operation }) => operation && operation.name === name);
  const dataset = catalogue.find(name ?? '');
  if (dataset) return chooseForm(dataset, parameters).paths[0];
  if (route && !route.path.includes('{')) return route.path;
  // Such as revisions/7.
  const path = `/${name}`;
  if (name?.includes('/') && new RouteTable(routes).find(path)) return path;
  const names = listOperationNames(catalogue);
  const others = `there are ${formatNames(names)}, and paths such as /2.0/bnb/quote`;
  if (name === undefined) throw new UsageError(`an OPERATION is required; ${others}`);
  const suggestion = formatNameSuggestion(name, names, catalogue);
  return new UsageError(`there is no operation "${name}"${suggestion}; ${others}`);
}

/** The form of a dataset that takes the parameters, if one does. */
function chooseForm(dataset: Dataset, parameters: readonly string[]): Dataset {
  const names = parameters.map((text) => text.split('=', 1)[0] ?? '');
  const takesAll = (form: Dataset) => names.every((name) => Object.hasOwn(form.parameters, name));
  return listServedForms(dataset).find(takesAll) ?? dataset;
}

/** Suggests an operation; of `corrections/quotez`, it compares the name of the dataset too. */
function formatNameSuggestion(
  name: string,
  names: readonly string[],
  { datasets }: Catalogue,
): string {
  const expanded = names.flatMap((text) =>
    text.endsWith('/DATASET')
      ? datasets.map((dataset) => text.replace('DATASET', dataset.name))
      : [text],
  );
  return formatSuggestion(name, name.includes('/') ? expanded : names);
}

/** Takes out a format that there is; the API rejects any other, and one that comes twice. */
function splitFormat(pairs: readonly string[]) {
  const [pair, ...others] = pairs.filter((text) => text.startsWith('format='));
  const format = pair?.slice('format='.length) ?? '';
  if (others.length > 0 || !Object.hasOwn(RESPONSE_FORMATS, format)) return { pairs };
  return { format, pairs: pairs.filter((text) => text !== pair) };
}

function encodeParameter(text: string): string {
  const separator = text.indexOf('=');
  if (separator < 1) throw new UsageError(`"${text}" must be NAME=VALUE, such as limit=5`);
  const parts = [text.slice(0, separator), text.slice(separator + 1)];
  return parts.map(encodeURIComponent).join('=');
}
