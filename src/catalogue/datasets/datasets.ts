import { CATALOGUE_ENTRY_SCHEMAS } from '../model/catalogue-entry.ts';
import { type AnyRecord, defineReference, PUBLIC_SCOPE } from '../model/dataset.ts';
import { type Declaration, PUBLISHED_SCHEMA } from '../model/declaration.ts';
import type { Field } from '../model/field.ts';
import { identifier, nullable } from '../model/field-builders.ts';
import type { JsonSchema } from '../model/json-schema.ts';
import { fieldsParameter, pageParameters, TABLE_PARAMETERS } from '../model/response-parameters.ts';
import { findSchemaProblems } from '../model/schema-problems.ts';

const { properties: PROPERTIES, required: REQUIRED } = PUBLISHED_SCHEMA as unknown as {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
};

/** The datasets that the publisher declared: a record is a declaration. */
export const datasets = defineReference({
  name: 'datasets',
  title: 'Declarations of datasets',
  description: 'The datasets that the publisher has declared, one record for each.',
  notes: ['What a declaration does not say is null.'],
  paths: ['/catalogue'],
  scope: PUBLIC_SCOPE,
  parameters: {
    ...pageParameters('datasets'),
    fields: fieldsParameter([
      ...Object.keys(CATALOGUE_ENTRY_SCHEMAS),
      ...['key', 'coverage', 'lastRevision', 'nextDue', 'yearStart', 'source', 'licence'],
    ]),
    ...TABLE_PARAMETERS,
  },
  fields: Object.fromEntries(
    Object.entries(PROPERTIES).map(([name, property]) => {
      const field = name === 'name' ? identifier('Name of the dataset') : json(property);
      return [name, REQUIRED.includes(name) ? field : nullable(field)];
    }),
  ),
  example: toDeclarationRecord({
    name: 'kibor',
    title: 'Interbank offered rates',
    period: { kind: 'day', field: 'date' },
    dimensions: [{ field: 'tenor', title: 'Tenor', codes: { '6M': 'six months' } }],
    measures: [{ field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate' }],
  }),
});

/** A value with a schema of its own; text in columns. */
function json({ description, ...schema }: JsonSchema): Field {
  return {
    kind: 'json',
    description: String(description),
    requirement: 'as the schema of declarations says',
    schema,
    isValid: (value): value is unknown => findSchemaProblems(value, schema).next().done === true,
  };
}

/** The record of a valid declaration; equal declarations have equal texts. */
export function toDeclarationRecord(declaration: Declaration): AnyRecord {
  const ordered = sortProperties(declaration, PUBLISHED_SCHEMA) as AnyRecord;
  return Object.fromEntries(Object.keys(PROPERTIES).map((name) => [name, ordered[name] ?? null]));
}

export function toDeclaration(record: AnyRecord): Declaration {
  const present = Object.entries(record).filter(([, value]) => value !== null);
  return Object.fromEntries(present) as unknown as Declaration;
}

/** A value with its properties in the order of its schema; codes keep the publisher's order. */
function sortProperties(value: unknown, { properties, items }: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => sortProperties(item, items as JsonSchema));
  if (!properties) return value;
  return Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, JsonSchema>>).flatMap(([name, schema]) => {
      const property = (value as AnyRecord)[name];
      return property === undefined ? [] : [[name, sortProperties(property, schema)]];
    }),
  );
}
