import { Catalogue, NONE_DECLARED } from '../../catalogue/catalogues.ts';
import { datasets, toDeclaration } from '../../catalogue/datasets/datasets.ts';
import { catalogue as shippedDatasets } from '../../catalogue/index.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import { parseAsOf } from '../arguments.ts';
import type { CommandCall } from '../command.ts';
import { ApiResponseError, fetchPages } from './fetch-pages.ts';
import type { ApiConnection } from './with-connection.ts';

/** The datasets of the database or server that is queried, as of the revision of the query. */
export async function fetchCatalogue(api: ApiConnection, call: CommandCall): Promise<Catalogue> {
  const [, query = ''] = /(?:^|[?&])(as_of=[^&]*)/.exec(call.positionals.join('&')) ?? [];
  const target = { path: `/exports/${datasets.name}.ndjson`, query, parameterNames: [] };
  const { mediaType } = RESPONSE_FORMATS.ndjson;
  const pages = fetchPages(api, target, { mediaType, allPages: false, asOf: parseAsOf(call) });
  const lines: string[] = [];
  try {
    for await (const { text } of pages) lines.push(...text.split('\n').slice(0, -1));
  } catch (cause) {
    // A server of an earlier release has no declarations.
    if (!(cause instanceof ApiResponseError) || !cause.body.includes('not_found')) throw cause;
  }
  const declarations = lines.map((line) => ({
    ...{ declaration: toDeclaration(JSON.parse(line)), revision: 0, publishedAt: '' },
    addedMeasures: [],
  }));
  return new Catalogue(shippedDatasets, { ...NONE_DECLARED, declarations });
}
