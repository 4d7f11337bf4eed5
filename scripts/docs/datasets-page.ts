import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Field, Fields } from '../../src/catalogue/model/field.ts';
import type { PublicationSchedule } from '../../src/catalogue/model/publication-schedule.ts';
import { describeRequests } from '../../src/openapi/request-descriptions.ts';
import { getKeyFields } from '../../src/schema/key-fields.ts';
import { code, page, table } from './markdown-table.ts';
import { parameterTables } from './parameter-table.ts';

/** The page with every dataset and its fields. */
export function datasetsPage(catalogue: readonly Dataset[]): string {
  return page(
    'Datasets',
    'The fields, parameters and caveats of every dataset. Fields are in the order of responses.',
    BY_NAME,
    ...catalogue.flatMap(buildSection),
  );
}

const BY_NAME =
  'A series, like every dataset that a publisher declares, is served by its name: `/datasets/{name}` has its records in pages, newest period first, and those of a series with their `status` (by the code list of SDMX). `from` and `to` take a period as it is labelled, as `2026-01`, as `2026-Q1` if quarters are not of fiscal years (`Q1 FY2026`), or by a day in it; a dimension is a parameter of its name, with up to 50 values and commas between them. `sort=asc` has the oldest period first. `limit`, `cursor`, `fields`, `as_of` and `format` are as those of quotes. `frequency` (`week`, `month`, `quarter`, `year`, with `year_start` for the first month of fiscal years) aggregates to coarser periods, by `aggregate` or the kind of each measure, with `observed` and `expected` beside it; of days, the newest such period is null until there is a record after it. `units` makes changes and growth: `chg`, `ch1` (from a year ago), `pch`, `pc1` (in percent), `pca` (at an annual rate), `cch`, `cca` (compounded continuously), `log`. `/docs` on your server has the details.';

function buildSection(dataset: Dataset): string[] {
  const { name, title, description, notes, paths, scope, period, parameters, checks } = dataset;
  const facts = [
    `Paths: ${paths.map(code).join(', ')}.`,
    `Scope: ${code(scope)}.`,
    `Key: ${getKeyFields(dataset).map(code).join(', ')}.`,
    ...(period ? [`Periods: ${period.kind.name}, ${period.kind.requirement}.`] : []),
    ...(dataset.schedule ? [describeSchedule(dataset.schedule)] : []),
    ...checks.map(
      ({ name: warning, rule }) => `Should hold: ${code(rule)}, else loading warns of ${warning}.`,
    ),
  ];
  return [
    `## ${title}`,
    `${code(name)}: ${description}`,
    describeRequests(dataset).join(' '),
    facts.join(' '),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
    table(['field', 'type', 'unit', 'description'], fieldRows(dataset.fields)),
    ...parameterTables(parameters),
  ];
}

/** A row for each field; the fields of a list follow it. */
function fieldRows(fields: Fields, prefix = ''): string[][] {
  return Object.entries(fields).flatMap(([name, field]) => [
    [code(prefix + name), formatFieldType(field), field.unit ?? '', field.description],
    ...(field.itemFields ? fieldRows(field.itemFields, `${prefix}${name}[].`) : []),
  ]);
}

function formatFieldType({ schema, kind, isNullable }: Field): string {
  const type = kind === 'day' ? 'day (YYYY-MM-DD)' : String(schema.type);
  return isNullable ? `${type} or null` : type;
}

function describeSchedule({ cadence, delayDays, toleranceDays }: PublicationSchedule): string {
  const unit = cadence === 'daily' ? 'business day' : 'day';
  const delay = `${delayDays} ${unit}${delayDays === 1 ? '' : 's'}`;
  return `Published ${cadence}, usually ${delay} after the end of the period; late after ${toleranceDays} more.`;
}
