import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { inTurn } from '../in-turn.ts';
import type { Service } from '../needs.ts';
import type { Encoding } from '../request/negotiate.ts';
import { encodingFor } from '../request/negotiate.ts';
import type { Answer } from './answer.ts';
import { PRECONDITION_FAILED } from './answer.ts';
import type { Validators } from './conditional.ts';
import { outcomeOf } from './conditional.ts';
import { encodedTag } from './etag.ts';
import type { Memory } from './memory.ts';

/** Who is told of what is made on the way. */
interface Told {
  readonly memory: Pick<Memory, 'grow'>;
  readonly collect: Service['collect'];
}

/**
 * What a request gets of an answer: all of it, in fewer bytes where that is welcome, or word that
 * the client has it already. Whatever is made on the way stays with the answer.
 */
export function deliver(
  headers: Headers,
  answer: Answer,
  { memory, collect }: Told,
): Answer | Promise<Answer> {
  const { validators } = answer;
  if (!validators) return answer;
  const encoding = isWorthwhile(answer) ? encodingFor(headers.get('accept-encoding')) : undefined;
  const way = wayOf(answer, validators, encoding);
  const outcome = outcomeOf(headers, way.validators);
  if (outcome === 'failed') return PRECONDITION_FAILED;
  if (outcome === 'unchanged') {
    if (!way.unchanged) {
      way.unchanged = unchangedAnswer(answer, way.validators);
      memory.grow(answer, UNCHANGED_BYTES);
    }
    return way.unchanged;
  }
  if (encoding === undefined) return answer;
  way.whole ??= squeezing(() => compressed(answer, way.validators, encoding)).then(
    (made) => {
      way.whole = made;
      const bytes = made.body?.size ?? 0;
      memory.grow(answer, bytes);
      // What it was made from was copied for it.
      collect((answer.body?.size ?? 0) + bytes);
      return made;
    },
    (cause) => {
      // The next one tries anew.
      delete way.whole;
      throw cause;
    },
  );
  return way.whole;
}

/** A way in which an answer is sent, and what was made for it. */
interface Way {
  readonly validators: Validators;
  whole?: Answer | Promise<Answer>;
  unchanged?: Answer;
}

/** Each holds a body twice while it runs. */
const squeezing = inTurn(2);

const ways = new WeakMap<Answer, Partial<Record<Encoding | 'plain', Way>>>();

function wayOf(answer: Answer, validators: Validators, encoding: Encoding | undefined): Way {
  const known = ways.get(answer) ?? {};
  ways.set(answer, known);
  known[encoding ?? 'plain'] ??= {
    validators: encoding
      ? { ...validators, etag: encodedTag(validators.etag, encoding) }
      : validators,
  };
  return known[encoding ?? 'plain'] as Way;
}

/** Roughly what an answer weighs that has headers alone. */
const UNCHANGED_BYTES = 2_000;

/** Below this a body fits into one packet, and making it smaller gains nothing. */
const SMALL_BYTES = 1_024;

function isWorthwhile({ isCompressible, body }: Answer): boolean {
  return isCompressible === true && body !== null && body.size >= SMALL_BYTES;
}

/** Levels that are made in a moment: what they leave on the table is a few percent. */
const compressors: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  zstd: promisify(zstdCompress),
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};

async function compressed(
  answer: Answer,
  validators: Validators,
  encoding: Encoding,
): Promise<Answer> {
  const plain = await (answer.body ?? new Blob()).bytes();
  const bytes = await compressors[encoding](plain);
  const headers = new Headers(answer.headers);
  headers.set('ETag', validators.etag);
  headers.set('Content-Encoding', encoding);
  return { ...answer, body: new Blob([bytes as Uint8Array<ArrayBuffer>]), headers, validators };
}

/** What describes a body goes; what a client updates its copy with stays. */
function unchangedAnswer(answer: Answer, { etag }: Validators): Answer {
  const headers = new Headers(answer.headers);
  headers.set('ETag', etag);
  headers.delete('Content-Type');
  headers.delete('Content-Disposition');
  return { status: 304, body: null, headers, revision: answer.revision };
}
