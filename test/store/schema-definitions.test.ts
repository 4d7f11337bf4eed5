import { expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { postgresTableDialect } from '../../src/store/postgres/dialect.ts';
import type { TableDialect } from '../../src/store/sql/dialect.ts';
import { getSchemaVersion } from '../../src/store/sql/migrations.ts';
import { getSchemaDefinitions } from '../../src/store/sql/schema.ts';
import { getSharedDefinitions } from '../../src/store/sql/shared-schema.ts';
import { sqliteTableDialect } from '../../src/store/sqlite/dialect.ts';

/** The version of the schema, and a digest of the definitions that belong to it. */
function describeSchema(dialect: TableDialect) {
  const definitions = [
    ...getSharedDefinitions(dialect),
    ...getSchemaDefinitions(catalogue, dialect),
  ].map(({ sql }) => sql);
  const digest = new Bun.CryptoHasher('sha256').update(JSON.stringify(definitions)).digest('hex');
  return { version: getSchemaVersion(), digest: digest.slice(0, 16) };
}

// If only a digest differs, append a migration: databases that there are keep their definitions.
test('definitions change only together with the version of the schema', () => {
  expect({
    sqlite: describeSchema(sqliteTableDialect),
    postgres: describeSchema(postgresTableDialect),
  }).toEqual({
    sqlite: { version: 21, digest: 'c4b81757c4a53373' },
    postgres: { version: 21, digest: 'd8f32418223d0ff6' },
  });
});
