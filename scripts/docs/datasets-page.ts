import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Field, Fields } from '../../src/catalogue/model/field.ts';
import { getKeyFields } from '../../src/schema/key-fields.ts';
import { code, page, table } from './markdown-table.ts';

/** Every dataset with its fields. */
export function datasetsPage(catalogue: readonly Dataset[]): string {
  return page(
    'Datasets',
    'What each dataset holds, and what to know before its figures are used. Fields are in the order of answers, and their names are exactly these.',
    ...catalogue.flatMap(section),
  );
}

function section(dataset: Dataset): string[] {
  const { name, title, description, notes, paths, scope, period, parameters, checks } = dataset;
  const facts = [
    `Paths: ${paths.map(code).join(', ')}.`,
    `Scope: ${code(scope)}.`,
    `Key: ${getKeyFields(dataset).map(code).join(', ')}.`,
    ...(period ? [`Periods: ${period.kind.name}, ${period.kind.requirement}.`] : []),
    ...checks.map(
      ({ name: warning, rule }) => `Should hold: ${code(rule)}, else loading warns of ${warning}.`,
    ),
  ];
  const asked = Object.entries(parameters).map(([parameter, declared]) => [
    code(parameter),
    declared.description,
    declared.requirement,
  ]);
  return [
    `## ${title}`,
    `${code(name)}: ${description}`,
    facts.join(' '),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
    table(['field', 'type', 'unit', 'meaning'], rowsOf(dataset.fields)),
    ...(asked.length > 0 ? [table(['parameter', 'meaning', 'must be'], asked)] : []),
  ];
}

/** A row for each field; those of a list follow it. */
function rowsOf(fields: Fields, within = ''): string[][] {
  return Object.entries(fields).flatMap(([name, field]) => [
    [code(within + name), typeOf(field), field.unit ?? '', field.description],
    ...(field.itemFields ? rowsOf(field.itemFields, `${within}${name}[].`) : []),
  ]);
}

function typeOf({ schema, kind }: Field): string {
  const type = String(schema.type);
  return kind === 'day' ? 'day (YYYY-MM-DD)' : type;
}
