import fc from 'fast-check';
import { catalogue } from '../../src/catalogue/index.ts';
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
    ...listRevisionTargets(content.instants.length, random).map(get),
    ...drawn.map((build) => build({ names, instants: content.instants })),
    ...queries.map((query) => get(formatQuoteTarget(query))),
    ...Array.from({ length: RANDOM_REQUESTS }, () => generator.draw()),
    ...listToolCalls(content.instants.length, random),
  ];
}

const get = (target: string): ReleaseRequest => ({ method: 'GET', target, headers: {} });

/** Everything that is of a revision, or as of it, for every revision. */
function listRevisionTargets(newest: number, random: Random): string[] {
  const revisions = Array.from({ length: newest }, (_, index) => index + 1);
  return revisions.flatMap((revision) => [
    ...[`/revisions/${revision}`, `/catalogue?as_of=${revision}`],
    ...[`/datapackage.json?as_of=${revision}`, `/2.0/bnb/securities?as_of=${revision}`],
    ...[`/3.0/funds?as_of=${revision}`, `/2.0/bnb/quote?as_of=${revision}`],
    ...catalogue.flatMap(({ name, shape, paths: [path] }) => [
      `/exports/${name}.ndjson?as_of=${revision}`,
      ...(random.isLikely(0.2)
        ? [`/exports/${name}.${random.pick(['csv', 'parquet'])}?as_of=${revision}`]
        : []),
      `/changes/${name}?since=${revision - 1}&until=${revision}&limit=1000`,
      `/changes/${name}?since=${random.integer(0, revision)}&until=${revision}&limit=1000&format=csv`,
      `/corrections/${name}?as_of=${revision}&limit=1000`,
      ...(shape === 'series' ? [`${path}?as_of=${revision}`] : []),
    ]),
  ]);
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
