import { readNewestCatalogue } from '../../catalogue/catalogues.ts';
import { catalogue as shippedDatasets } from '../../catalogue/index.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import {
  findLastCoveredDay,
  findNextDue,
  judgeTimeliness,
} from '../../catalogue/model/next-due.ts';
import { describeHold, listAffected } from '../../publish/desk/candidate-facts.ts';
import { listHeld } from '../../publish/desk/find-stale.ts';
import { DAY_MS } from '../../shared/calendar.ts';
import {
  type Coverage,
  type Store,
  type StoreReader,
  StoreUnavailableError,
  StoreUnusableError,
} from '../../store/open-store.ts';
import { countSeries, type SeriesCounts } from '../../store/series-coverage.ts';
import { DATASETS_HELP, findStoredDataset, parseInstantOrDay } from '../arguments.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { formatColumns, pluralize } from '../format.ts';
import { printJson, printStyled } from '../output.ts';
import { closeAfter, withReader } from '../with-store.ts';

export const statusCommand: Command = {
  usage: 'status [DATASET…] [--strict] [--at WHEN] [--json]',
  maxArguments: Number.POSITIVE_INFINITY,
  summary:
    'Show the newest data of each dataset, when the next is due, and which datasets are late',
  options: {
    strict: { help: 'Fail as soon as data is due, without tolerance' },
    at: {
      placeholder: 'WHEN',
      help: 'The time to judge by: an instant, or the end of a day (default: now)',
    },
    json: { help: 'As JSON' },
  },
  details: [
    'Exit status 0: nothing is late. 1: a dataset is late (with --strict: or due), its newest period',
    'lacks series that the one before has, or it has a date in the future, which would hide lateness. Data is due when the usual delay of its dataset has passed,',
    'and late when the tolerance has passed as well: holidays are not known. A dataset without data is',
    'not late, nor is made-up sample data. Dates are in UTC. Candidates that are stale or could not be',
    'published are named to those who may see them, and count as late.',
    '',
    DATASETS_HELP,
  ].join('\n'),
  async run(call) {
    const { json, strict } = call.options;
    const named = new Set<Dataset>();
    for (const name of call.positionals) named.add(await findStoredDataset(call, name));
    const now = parseClock(call);
    const { revision, entries, held } = await withReader(call, async (reader, store) => {
      const { datasets } = await readNewestCatalogue(shippedDatasets, reader);
      const found = await reader.coverage(named.size > 0 ? [...named] : datasets);
      const entries = [];
      for (const entry of found.entries)
        entries.push({ ...entry, series: await countSeries(reader, entry.dataset) });
      return { ...found, entries, held: await findHeld(store, reader, named) };
    });
    const statuses = entries.map((entry) => describeStatus(entry, now));
    if (json)
      printJson({ at: now.toISOString(), revision, datasets: statuses, candidates: held ?? null });
    else printStyled(formatColumns([COLUMN_TITLES, ...statuses.map(toTableRow)]));
    const failing = [...FAILING_STATUSES, ...(strict ? ['due'] : [])];
    const problems = statuses.filter(
      ({ status, series }) => failing.includes(status) || isIncomplete(series),
    );
    const texts = [
      ...problems.map((problem) => `${problem.dataset}: ${formatStatus(problem)}`),
      ...(held ?? []).map(
        ({ candidate, datasets, hold }) =>
          `candidate ${candidate} of ${datasets.join(', ')}: ${hold}`,
      ),
    ];
    if (texts.length === 0) return;
    throw new CommandError(texts.join('; '), json === true);
  },
};

/** The candidates that wait for somebody to look at them; undefined if this account may not see any. */
async function findHeld(store: Store, reader: StoreReader, named: ReadonlySet<Dataset>) {
  try {
    const candidates = await closeAfter(store.candidates(), (desk) => listHeld(desk, reader));
    const names = new Set([...named].map(({ name }) => name));
    return candidates
      .map((candidate) => {
        const { id, due = null } = candidate;
        const hold = describeHold(candidate);
        return { candidate: id, datasets: listAffected(candidate), due, hold };
      })
      .filter(({ datasets }) => names.size === 0 || datasets.some((name) => names.has(name)));
  } catch (cause) {
    if (cause instanceof StoreUnusableError || cause instanceof StoreUnavailableError)
      return undefined;
    throw cause;
  }
}

const FAILING_STATUSES: readonly string[] = ['late', 'future-date'];

function parseClock({ options: { at } }: CommandCall): Date {
  if (at === undefined) return new Date();
  const instant = parseInstantOrDay(String(at));
  if (instant) return instant;
  throw new UsageError(
    '--at must be a day such as 2026-06-30, or an instant such as 2026-06-30T12:00:00Z',
  );
}

type DatasetStatus = ReturnType<typeof describeStatus>;

const isIncomplete = (series: SeriesCounts | undefined) =>
  !!series && series.present < series.expected;

function describeStatus(
  { series, ...coverage }: Coverage & { series: SeriesCounts | undefined },
  now: Date,
) {
  const { dataset, last, lastRevision } = coverage;
  const nextDue = findNextDue(coverage);
  const { timeliness, daysDue } = nextDue
    ? judgeTimeliness(nextDue, now)
    : { timeliness: findReason(coverage), daysDue: 0 };
  return {
    dataset: dataset.name,
    status: nextDue && isFutureDate(coverage, now) ? 'future-date' : timeliness,
    newest: last,
    /** How many of the series of the period before it has. */
    ...(series && { series }),
    /** The last day of that date or period. */
    newestDate: findLastCoveredDay(coverage) ?? null,
    nextDue,
    /** The whole days since it was due. */
    daysDue,
    lastRevision,
  };
}

/**
 * A wrong date in the future would hide all lateness until then. Period labels may be those of fiscal years,
 * which begin before the calendar year they are named after.
 */
function isFutureDate({ dataset, last }: Coverage, now: Date): boolean {
  const { hasDayLabels = true } = dataset.period?.kind ?? {};
  if (!hasDayLabels || last === null) return false;
  // Days begin up to 14 hours earlier than in UTC in some time zones.
  return Date.parse(last) > now.getTime() + DAY_MS;
}

function findReason({ dataset, last, lastRevision }: Coverage) {
  if (!dataset.schedule) return 'no-schedule';
  if (last === null) return 'no-data';
  return lastRevision?.sample ? 'sample-data' : 'unknown-cadence';
}

const COLUMN_TITLES = ['dataset', 'newest', 'status', 'next due', 'published', 'revision'];

function toTableRow(status: DatasetStatus): string[] {
  const { dataset, newest, nextDue, lastRevision } = status;
  return [
    dataset,
    newest ?? '–',
    formatStatus(status),
    nextDue?.dueAt
      .replace(/T00:00:00.000Z$/, '')
      .replace('T', ' ')
      .slice(0, 16) ?? '–',
    lastRevision ? lastRevision.publishedAt.slice(0, 16).replace('T', ' ') : '–',
    lastRevision ? String(lastRevision.revision) : '–',
  ];
}

function formatStatus({ status, daysDue, series }: DatasetStatus): string {
  const text =
    daysDue > 0 ? `${status} for ${pluralize(daysDue, 'day')}` : status.replace('-', ' ');
  return series && isIncomplete(series)
    ? `${text}, ${series.present} of ${series.expected} series`
    : text;
}
