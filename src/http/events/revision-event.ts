import { REVISION_SCHEMAS } from '../../catalogue/operations/revisions.ts';
import type { Revision } from '../../store/open-store.ts';

const REVISION_FIELDS = Object.keys(REVISION_SCHEMAS) as (keyof typeof REVISION_SCHEMAS)[];

/** A revision with its fields in the order of the schema. */
export function toRevisionJson(revision: Revision): object {
  const files = revision.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  return Object.fromEntries(
    REVISION_FIELDS.map((field) => [field, field === 'files' ? files : revision[field]]),
  );
}

const encoder = new TextEncoder();

/** An event in the format of `text/event-stream`; JSON has no line break. */
export function encodeRevisionEvent(revision: Revision): Uint8Array {
  const data = JSON.stringify(toRevisionJson(revision));
  return encoder.encode(`event: revision\nid: ${revision.revision}\ndata: ${data}\n\n`);
}

/** Comments, which clients ignore: they show that the connection is alive. */
export const COMMENT = encoder.encode(':\n\n');
/** The first line also sends the headers on their way. */
export const GREETING = encoder.encode(': revisions follow as they are published\n\n');
