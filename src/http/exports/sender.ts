import type { ExportFormat } from '../../catalogue/exports.ts';
import { wholeFile } from '../../represent/whole.ts';
import type { Answer } from '../answers/answer.ts';
import { inTurn } from '../in-turn.ts';
import type { Service } from '../needs.ts';
import { lengths } from './lengths.ts';
import { paced } from './paced.ts';
import { lengthOf, type Pieces, resumed, type Start, startOf } from './pieces.ts';
import { type Range, type Span, sliced, spanOf } from './range.ts';
import { streamed } from './streamed.ts';
import { type Version, validatorsOf } from './version.ts';

/** Large files that are made at one time: each takes memory, and turns from other requests. */
const MOST_AT_ONCE = 4;
/** Of these, so many for one token: nobody can take all the places. */
const MOST_OF_ONE = 2;

/** A file that somebody asks for. */
export interface Wanted {
  readonly service: Service;
  /** The id of the token that asks. */
  readonly token: string;
  readonly version: Version;
  readonly format: ExportFormat;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** A file, or what a range has of it: no body where that is nothing. */
export interface Sending extends Pick<Answer, 'body' | 'stream'> {
  /** With a range: which bytes of the file it has, and how many there are in all. */
  readonly part?: { readonly span: Span | undefined; readonly total: number };
}

/** Sends files. Small ones are remembered like other answers; large ones are made on the way. */
export interface Sender {
  /** How many bytes a file has; undefined where it is a large one. */
  sizeOf(wanted: Wanted): Promise<number | undefined>;
  /** Sends a file, or a range of it; undefined while too many large ones are made. */
  send(wanted: Wanted, range?: Range): Promise<Sending | undefined>;
}

/** What there is of a file before it is sent: nothing, where too many large ones are made. */
interface Begun extends Partial<Start> {
  readonly file?: Blob;
}

/** Remembers small files in the memory of the service, and which files are large. */
export function sender(): Sender {
  const large = lengths();
  const underWay: string[] = [];
  // One at a time: what is made before it is sent is held in memory.
  const starting = inTurn(1);
  const made = (wanted: Wanted) => large.measured(keyOf(wanted), piecesOf(wanted), wanted.signal);
  /** The file where it is small, or what a large one begins with. */
  const begun = async (wanted: Wanted): Promise<Begun> => {
    const known = remembered(wanted);
    if (known) return { file: known };
    return starting(async () => {
      // Others waited for the same file, and one of them was first.
      const since = remembered(wanted);
      if (since) return { file: since };
      if (isBusyWith(wanted)) return {};
      const { parts, rest } = await startOf(made(wanted));
      if (rest) large.add(keyOf(wanted));
      return rest ? { parts, rest } : { file: remember(wanted, new Blob([...parts])) };
    });
  };
  const isFull = (token: string) =>
    underWay.length >= MOST_AT_ONCE ||
    underWay.filter((other) => other === token).length >= MOST_OF_ONE;
  const isBusyWith = (wanted: Wanted) => large.has(keyOf(wanted)) && isFull(wanted.token);
  return {
    async sizeOf(wanted) {
      if (large.has(keyOf(wanted))) return undefined;
      const { file, rest } = await begun(wanted);
      await rest?.return(undefined);
      return file?.size;
    },
    async send(wanted, range) {
      const key = keyOf(wanted);
      if (isBusyWith(wanted)) return undefined;
      const { file, parts = [], rest } = await begun(wanted);
      if (file) return small(file, range);
      if (!rest) return undefined;
      const { signal, token } = wanted;
      if (isFull(token)) return void (await rest.return(undefined));
      underWay.push(token);
      const stop = async () => {
        await rest.return(undefined);
        underWay.splice(underWay.indexOf(token), 1);
      };
      try {
        const pieces = resumed(parts, rest);
        if (!range) return { body: null, stream: streamed(pieces, signal, stop) };
        const total = large.get(key) ?? (await lengthOf(made(wanted)));
        const span = spanOf(range, total);
        const part = { span, total };
        if (span) return { body: null, part, stream: streamed(sliced(pieces, span), signal, stop) };
        await stop();
        return { body: null, part };
      } catch (cause) {
        await stop();
        throw cause;
      }
    },
  };
}

/** Of a file that is there as a whole. */
function small(file: Blob, range: Range | undefined): Sending {
  if (!range) return { body: file };
  const span = spanOf(range, file.size);
  return {
    body: span ? file.slice(span.from, span.to) : null,
    part: { span, total: file.size },
  };
}

function remembered(wanted: Wanted): Blob | undefined {
  return wanted.service.memory.get(keyOf(wanted))?.body ?? undefined;
}

function remember(wanted: Wanted, file: Blob): Blob {
  const { service, version, signal } = wanted;
  const { revision } = version;
  const answer = { status: 200, body: file, headers: new Headers(), revision };
  // What was given up because nobody waits for it is not whole.
  if (!signal.aborted) service.memory.keepPast(keyOf(wanted), answer);
  return file;
}

function piecesOf({ service, version, format, signal }: Wanted): Pieces {
  return wholeFile(paced(service, signal), version.dataset, format, version.revision);
}

/** With a space in it, so that it is taken for no target. */
function keyOf({ version, format }: Wanted): string {
  return `${version.dataset.name} ${validatorsOf(version, format).etag}`;
}
