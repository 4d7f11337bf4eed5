import { expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { postgresTableDialect } from '../../src/store/postgres/dialect.ts';
import type { TableDialect } from '../../src/store/sql/dialect.ts';
import { getMigrations, getSchemaDefinitions } from '../../src/store/sql/schema.ts';
import { sqliteTableDialect } from '../../src/store/sqlite/dialect.ts';

/** The version of the schema, and a digest of the definitions that belong to it. */
function describeSchema(dialect: TableDialect) {
  const definitions = getSchemaDefinitions(catalogue, dialect);
  const digest = new Bun.CryptoHasher('sha256').update(JSON.stringify(definitions)).digest('hex');
  return { version: getMigrations(dialect).length, digest: digest.slice(0, 16) };
}

// Where only a digest differs, append a migration: an older Tenor would restore its own definitions.
test('definitions change only together with the version that makes an older Tenor reject them', () => {
  expect({
    sqlite: describeSchema(sqliteTableDialect),
    postgres: describeSchema(postgresTableDialect),
  }).toEqual({
    sqlite: { version: 20, digest: '9e649044614dfb70' },
    postgres: { version: 20, digest: '84c9913cba725458' },
  });
});
