import { REVISION_SCHEMAS } from '../../../catalogue/operations/revisions.ts';
import type { Revision } from '../../../store/open-store.ts';

const REVISION_FIELDS = Object.keys(REVISION_SCHEMAS) as (keyof typeof REVISION_SCHEMAS)[];

/** A revision with its fields in the order of the schema. */
export function toRevisionJson(revision: Revision): object {
  const files = revision.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  return Object.fromEntries(
    REVISION_FIELDS.map((field) => [field, field === 'files' ? files : revision[field]]),
  );
}
