import { ACCEPT_DATETIME } from '../../catalogue/accept-datetime.ts';
import type { RepresentationName } from '../../catalogue/representation.ts';
import { representations } from '../../catalogue/representation.ts';
import { NotWritable, represented } from '../../represent/answer.ts';
import type { Origin } from '../../represent/table.ts';
import type { Reading } from '../../store/index.ts';
import { refuse } from '../failures.ts';
import type { Answer } from './answer.ts';
import { openHeaders, refusalAnswer } from './answer.ts';
import type { Change } from './changed.ts';
import { etagOf } from './etag.ts';

/** What an answer with records is made from. */
export interface Material {
  readonly origin: Origin;
  readonly reading: Reading;
  readonly form: RepresentationName;
  /** What last changed the dataset behind it; undefined where nothing was published. */
  readonly modified: Change | undefined;
  /** To the answers around it, where more match than it has. */
  readonly links: string | undefined;
}

/** The answer that is given to what was read. Errors are always JSON. */
export function dataAnswer(material: Material): Answer | Promise<Answer> {
  const { origin, reading, form } = material;
  if (isFund(origin) && reading.count === 0) {
    return withAbout(refusalAnswer(refuse('no_record_found'), reading.revision), material);
  }
  if (form === 'json') return answerOf(material, enveloped(origin, reading));
  const texts = reading.count === 0 ? [] : reading.records.split('\n');
  return bodyOf(represented(origin, form, texts)).then(
    (body) => answerOf(material, body),
    (cause) => notWritable(cause, material),
  );
}

function notWritable(cause: unknown, material: Material): Answer {
  if (!(cause instanceof NotWritable)) throw cause;
  const { form, reading } = material;
  const refusal = refuse('not_writable', { form, why: cause.message });
  return withAbout(refusalAnswer(refusal, reading.revision), material);
}

/** In parts: an answer may be megabytes, and joining it first would be one more copy of it. */
function enveloped(origin: Origin, { records }: Reading): Blob {
  const [open, close] = isFund(origin) ? ['', ''] : ['[', ']'];
  const said = 'message' in origin && origin.message ? '"message":"",' : '';
  return new Blob([`{"status":"ok",${said}"data":${open}`, records, `${close}}`]);
}

function isFund(origin: Origin): boolean {
  return 'shape' in origin && origin.shape === 'fund';
}

async function bodyOf(pieces: AsyncIterable<Uint8Array>): Promise<Blob> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) all.push(piece as Uint8Array<ArrayBuffer>);
  return new Blob(all);
}

function answerOf(material: Material, body: Blob): Answer {
  const { origin, reading, form, modified, links } = material;
  const { contentType, extension, compressible } = representations[form];
  const { revision, records } = reading;
  // What follows belongs to an answer that was cut: a client that has this one, and goes on from
  // there, gets no more than it may know of.
  const followed = links === undefined ? '' : `cut at ${modified?.revision}`;
  const etag = etagOf(records, form === 'json' ? undefined : form, followed);
  const headers = openHeaders();
  headers.set('Content-Type', contentType);
  headers.set('Cache-Control', 'private, no-cache');
  headers.set('Tenor-Revision', String(revision));
  headers.set('ETag', etag);
  if (modified) headers.set('Last-Modified', new Date(modified.atMs).toUTCString());
  if (form !== 'json') {
    const filename = `${origin.name}.${extension}`;
    headers.set('Content-Disposition', `attachment; filename="${filename}"`);
  }
  const validators = modified ? { etag, modified } : { etag };
  const answer = { status: 200, body, headers, revision, validators, isCompressible: compressible };
  return withAbout(answer, material);
}

const VARY = `Accept, Accept-Encoding, Prefer, ${ACCEPT_DATETIME}`;

/** With what is told beside the data, whatever became of it. */
function withAbout(answer: Answer, { reading, links }: Material): Answer {
  const { headers } = answer;
  headers.set('Vary', VARY);
  if (links !== undefined) headers.set('Link', links);
  if (reading.total !== undefined) {
    headers.set('Tenor-Total-Count', String(reading.total));
    headers.set('Preference-Applied', 'count=exact');
  }
  return answer;
}
