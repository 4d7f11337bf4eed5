import { StoreUnusableError } from '../errors.ts';
import type { EngineName } from './dialect.ts';

/** The SQL that brings a database from one version of the schema to the next. */
export interface Migration {
  readonly statements: Readonly<Record<EngineName, readonly string[]>>;
  /** Views whose columns change: they are dropped, and created again afterwards. */
  readonly remadeViews?: readonly string[];
}

const BASELINE_VERSION = 21;

/**
 * Only ever appended, each with the change of the definitions that it leads to: new databases are
 * created by these alone. Missing tables, indexes and views of datasets are created without a
 * migration, so that an index which changes takes another name, and a migration drops the old one.
 */
export const MIGRATIONS: readonly Migration[] = [];

/** The version of a new database. */
export function getSchemaVersion(): number {
  return BASELINE_VERSION + MIGRATIONS.length;
}

/** The migrations that a database of a version has not had; version 0 has no tables yet. */
export function listMissingMigrations(version: number): readonly Migration[] {
  assertKnownVersion(version);
  return version === 0 ? [] : MIGRATIONS.slice(version - BASELINE_VERSION);
}

function assertKnownVersion(version: number): void {
  if (version > getSchemaVersion())
    throw new StoreUnusableError(
      `its schema is version ${version}, and this Tenor knows versions up to ${getSchemaVersion()}; use a newer Tenor, or restore a backup from before the migration (made by hand: tenor backup FILE, or pg_dump on PostgreSQL)`,
    );
  if (version > 0 && version < BASELINE_VERSION)
    throw new StoreUnusableError(
      `its schema is version ${version}, from before the first release, whose version is ${BASELINE_VERSION}; load its data into a new database`,
    );
}
