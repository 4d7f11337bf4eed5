import fc from 'fast-check';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { Random } from '../../test/simulation/random.ts';
import { anyRequest } from '../../test/support/both-engines/arbitrary-requests.ts';
import { createMessage } from '../../test/support/mcp-client.ts';
import { anyQuery, formatQuoteTarget } from '../../test/support/small-dataset.ts';
import type { ReleaseRequest } from './release-request.ts';
import {
  type DatabaseContent,
  type OpenApiDocument,
  RequestGenerator,
} from './request-generator.ts';

/** How many requests are drawn from the parameters of all operations. */
const RANDOM_REQUESTS = 2_000;
/** How many are drawn as the tests draw those that both engines respond to alike. */
const PROPERTY_REQUESTS = 600;

/** Every request that two releases are compared by. */
export function listRequests(
  document: OpenApiDocument,
  content: DatabaseContent,
  widgets: readonly string[],
  seed: number,
): ReleaseRequest[] {
  const random = new Random(seed);
  const generator = new RequestGenerator(document, content, random);
  const names = [...content.symbols, ...content.fundIds];
  const drawn = fc.sample(anyRequest, { seed, numRuns: PROPERTY_REQUESTS });
  const queries = fc.sample(anyQuery, { seed, numRuns: PROPERTY_REQUESTS });
  return [
    ...['/', '/docs', '/widgets.json', '/apps.json', '/live', '/ready'].map(get),
    ...widgets.map(get),
    ...Object.keys(document.paths)
      .filter((path) => path !== '/events')
      .map(get),
    ...content.fundIds.map((id) => get(`/3.0/funds/allocation?fund_id=${encodeURIComponent(id)}`)),
    ...listRevisionTargets(content, random).map(get),
    ...drawn.map((build) => build({ names, instants: content.instants })),
    ...queries.map((query) => get(formatQuoteTarget(query))),
    ...Array.from({ length: RANDOM_REQUESTS }, () => generator.draw()),
    ...listToolCalls(content.instants.length, random),
  ];
}

const get = (target: string): ReleaseRequest => ({ method: 'GET', target, headers: {} });

/**
 * Everything that is of a revision, or as of it, for every revision. What takes long, because the
 * sample has so many quotes, is as of every revision of quotes, and of some others.
 */
function listRevisionTargets({ instants, changedDatasets }: DatabaseContent, random: Random) {
  return instants.flatMap((_, index) => {
    const revision = index + 1;
    const asOf = `as_of=${revision}`;
    const withQuotes = changedDatasets[index] === quotes.name || random.isLikely(0.1);
    const datasets = catalogue.filter((dataset) => withQuotes || dataset !== quotes);
    return [
      ...[`/revisions/${revision}`, `/catalogue?${asOf}`, `/datapackage.json?${asOf}`],
      ...[`/2.0/bnb/quote?${asOf}`, `/3.0/funds?${asOf}`],
      ...(withQuotes ? [`/2.0/bnb/securities?${asOf}`] : []),
      ...datasets.flatMap((dataset) => listDatasetTargets(dataset, revision, random)),
    ];
  });
}

function listDatasetTargets(
  { name, shape, paths: [path] }: Dataset,
  revision: number,
  random: Random,
) {
  const asOf = `as_of=${revision}`;
  const since = random.integer(0, revision);
  return [
    `/exports/${name}.ndjson?${asOf}`,
    `/changes/${name}?since=${revision - 1}&until=${revision}&limit=1000`,
    `/changes/${name}?since=${since}&until=${revision}&limit=1000&format=csv`,
    `/corrections/${name}?${asOf}&limit=1000`,
    ...(random.isLikely(0.2)
      ? [`/exports/${name}.${random.pick(['csv', 'parquet'])}?${asOf}`]
      : []),
    ...(shape === 'series' ? [`${path}?${asOf}`] : []),
  ];
}

/** The tools for language models that are of a dataset, as of some revisions. */
function listToolCalls(newest: number, random: Random): ReleaseRequest[] {
  const calls = catalogue.flatMap(({ name: dataset }) =>
    ['describe_datasets', 'get_series', 'get_corrections', 'list_revisions'].map((name) => {
      const as_of = String(random.integer(1, newest));
      return createMessage('tools/call', { name, arguments: { dataset, as_of } });
    }),
  );
  return [createMessage('tools/list'), ...calls].map(({ body, headers }) => ({
    method: 'POST',
    target: '/mcp',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  }));
}
