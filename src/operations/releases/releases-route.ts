import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { findNextDue, type NextDue } from '../../catalogue/model/next-due.ts';
import { formatParameter } from '../../catalogue/model/response-parameters.ts';
import { authenticate } from '../../http/authentication/authenticate.ts';
import { LIST_COST } from '../../http/background/job-scheduler.ts';
import { ANONYMOUS } from '../../http/pipeline/exchange.ts';
import type {
  CustomRoute,
  DataRoute,
  JsonResult,
  OperationQuery,
} from '../../http/pipeline/route.ts';
import { findFirstValue } from '../../http/request/parse-query.ts';
import { createBaseHeaders } from '../../http/responses/cors.ts';
import { computeEtag, type HttpResponse, storableResponse } from '../../http/responses/response.ts';
import type { StoreReader } from '../../store/open-store.ts';
import { countSeries, type SeriesCounts } from '../../store/series-coverage.ts';
import { deriveOnce } from '../openbb/derive-response.ts';
import { createOperationRoute, createScopeKey, listReadableDatasets } from '../operation-route.ts';
import { releasesOperation } from './releases-operation.ts';
import { writeCalendar } from './write-calendar.ts';

/** What everybody may know of the releases of a dataset, and what its scope allows. */
export interface DatasetReleases {
  readonly dataset: string;
  readonly title: string;
  readonly nextDue: NextDue | null;
  readonly dates: readonly string[];
  readonly releases: readonly Release[] | null;
  readonly series: SeriesCounts | null;
}

interface Release {
  readonly period: string | null;
  readonly revision: number;
  readonly publishedAt: string;
  readonly dueAt: string | null;
}

/** The route of releases as JSON. */
export function createReleasesRoute({
  datasets,
}: Catalogue): DataRoute<OperationQuery & { readonly datasets: readonly string[] }, JsonResult> {
  return {
    isAlwaysCurrent: true,
    ...createOperationRoute(releasesOperation, {
      getParameters: () => ({ format: formatParameter(['json']) }),
      getScopeKey: createScopeKey(datasets),
      parse: (_, { scopes }) => ({ datasets: listReadableDatasets(datasets, scopes) }),
      cost: (_, result) => (result ? 1 : LIST_COST),
      async read(query, { view: { catalogue, revision }, reader }) {
        const scheduled = catalogue.datasets.filter(({ schedule }) => schedule);
        const { entries } = await reader.coverage(scheduled, revision);
        const data: DatasetReleases[] = [];
        for (const entry of entries) {
          const { dataset, lastRevision } = entry;
          const { name, title, schedule } = dataset;
          const nextDue = findNextDue(entry);
          const from = nextDue?.dueAt ?? lastRevision?.publishedAt ?? '';
          const dates = (schedule?.dates ?? [])
            .map((date) => new Date(date).toISOString())
            .filter((date) => date >= from)
            .toSorted();
          const isReadable = query.datasets.includes(name);
          const own = isReadable && {
            releases: await listReleases(reader, dataset, revision),
            series: (await countSeries(reader, dataset)) ?? null,
          };
          const known = { dataset: name, title, nextDue, dates };
          data.push({ ...known, ...(own || { releases: null, series: null }) });
        }
        return { revision, data: JSON.stringify(data) };
      },
    }),
  };
}

const MAX_RELEASES = 3;
/** Corrections are between releases. */
const MAX_REVISIONS = 10;

/** The newest revisions after which the newest period was another one, with what was awaited before. */
async function listReleases(
  reader: Pick<StoreReader, 'revisions' | 'coverage'>,
  dataset: Dataset,
  newest: number,
): Promise<Release[]> {
  const filter = { datasets: [dataset.name], before: newest + 1, limit: MAX_REVISIONS };
  const releases: Release[] = [];
  for (const { revision, publishedAt, added } of await reader.revisions(filter)) {
    if (added === 0 || releases.length === MAX_RELEASES) continue;
    const [after] = (await reader.coverage([dataset], revision)).entries;
    const [before] = (await reader.coverage([dataset], revision - 1)).entries;
    if (!after || !before || after.last === before.last) continue;
    const dueAt = findNextDue(before)?.dueAt ?? null;
    releases.push({ period: after.last, revision, publishedAt, dueAt });
  }
  return releases;
}

/** The same for clients with and without a token, and as a calendar. */
export function createOpenReleasesRoute(): CustomRoute {
  const { path, parameters } = releasesOperation;
  return {
    path,
    operation: releasesOperation,
    parameters,
    authenticate: (context, exchange) =>
      exchange.headers.has('authorization') ? authenticate(exchange, context) : ANONYMOUS,
    async respond({ target, method }, respondToTarget) {
      if (findFirstValue(target.parameters, 'format') !== 'ics')
        return respondToTarget(path, { method: method === 'HEAD' ? method : 'GET' });
      const response = await respondToTarget(path);
      return response.status === 200
        ? deriveOnce(response, 'calendar', (datasets) => createCalendarResponse(response, datasets))
        : response;
    },
  };
}

function createCalendarResponse({ headers: source, revision }: HttpResponse, datasets: unknown) {
  const text = writeCalendar(
    datasets as readonly DatasetReleases[],
    source.get('Tenor-Published-At') ?? EPOCH,
  );
  const headers = createBaseHeaders({
    'Content-Type': 'text/calendar; charset=utf-8',
    'Content-Disposition': 'inline; filename="releases.ics"',
    'Cache-Control': source.get('Cache-Control') ?? 'no-cache',
  });
  return storableResponse(new Blob([text]), headers, { etag: computeEtag(text), revision });
}

/** Before the first revision. */
const EPOCH = '1970-01-01T00:00:00.000Z';
