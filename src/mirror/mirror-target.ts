import { existsSync, mkdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NetworkSink } from 'bun';
import { RESPONSE_FORMATS } from '../catalogue/model/response-format.ts';
import { boundResponse } from '../client/bounded-response.ts';
import { readChunks } from '../client/read-chunks.ts';
import { createDraftPath, moveToDisk, removeDraft } from '../shared/draft-file.ts';
import { explainFileError } from '../shared/file-error.ts';

/** A folder or a bucket prefix with the files of a mirror. */
export interface MirrorTarget {
  /** The content of a file as a web server would send it; status 404 if there is none. */
  read(path: string): Promise<Response>;
  has(path: string): Promise<boolean>;
  /** Writes a complete file, or none if the chunks end with an error; returns its size in bytes. */
  write(path: string, chunks: FileChunks): Promise<number>;
}

/** A bucket prefix with any files. */
export interface BucketTarget extends MirrorTarget {
  list(): Promise<string[]>;
  remove(path: string): Promise<void>;
}

type Chunk = Uint8Array | string;
export type FileChunks = AsyncIterable<Chunk> | Iterable<Chunk>;

/** A mirror that cannot be read or written, or not with these options. */
export class MirrorError extends Error {}

/** The target of a path or of `s3://bucket/prefix`. */
export function openMirrorTarget(address: string): MirrorTarget {
  const { read, ...target } = openBucket(address) ?? createFolderTarget(address);
  return { ...target, read: async (path) => boundResponse(await read(path), path) };
}

/** The bucket of `s3://bucket/prefix`; undefined if the address is a path. */
export function openBucket(address: string): BucketTarget | undefined {
  const [, scheme, bucket, prefix] = /^(\w+):\/\/([^/]*)\/*(.*?)\/*$/.exec(address) ?? [];
  if (scheme === undefined) return undefined;
  if (scheme !== 's3' || !bucket)
    throw new MirrorError('use a folder, or a bucket such as s3://bucket/prefix');
  return createBucketTarget(bucket, prefix ? `${prefix}/` : '');
}

function createFolderTarget(folder: string): MirrorTarget {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new MirrorError('this is a file; a mirror needs a folder');
  return {
    async read(path) {
      const file = Bun.file(join(folder, path));
      return (await file.exists()) ? new Response(file) : createNotFound();
    },
    has: async (path) => existsSync(join(folder, path)),
    async write(path, chunks) {
      const target = join(folder, path);
      try {
        mkdirSync(dirname(target), { recursive: true });
        const draft = createDraftPath(folder);
        try {
          const size = await writeDraft(draft, chunks);
          moveToDisk(draft, target);
          return size;
        } finally {
          removeDraft(draft);
        }
      } catch (cause) {
        if (!(cause instanceof Error && 'code' in cause)) throw cause;
        throw new MirrorError(`cannot write ${path}: ${explainFileError(cause, folder)}`);
      }
    },
  };
}

/** Bun's own writer ends without an error if the disk is full. */
async function writeDraft(path: string, chunks: FileChunks): Promise<number> {
  const file = await open(path, 'wx');
  try {
    for await (const chunk of chunks) await file.writeFile(chunk);
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

const createNotFound = () => new Response(null, { status: 404 });

function createBucketTarget(bucket: string, prefix: string): BucketTarget {
  const { AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const endpoint = AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL;
  // Strict servers reject the library's default.
  const region = AWS_REGION || AWS_DEFAULT_REGION || 'us-east-1';
  const client = new Bun.S3Client({ bucket, region, ...(endpoint && { endpoint }) });
  const explain = (action: string) => (cause: { code?: string; message: string }) => {
    if (cause.code === undefined) throw cause;
    throw new MirrorError(`cannot ${action}: ${cause.code}: ${cause.message}`);
  };
  return {
    async read(path) {
      const chunks = readChunks(new Response(client.file(prefix + path).stream()));
      const first = await chunks.next().catch((error) => {
        const { cause = error } = error;
        return cause.code === 'NoSuchKey' ? undefined : explain(`read ${path}`)(cause);
      });
      if (!first) return createNotFound();
      const readAll = async function* () {
        if (first.value) yield first.value;
        yield* chunks;
      };
      return new Response(readAll());
    },
    has: (path) => client.exists(prefix + path).catch(explain(`read ${path}`)),
    write(path, chunks) {
      const formats = Object.values(RESPONSE_FORMATS);
      const format = formats.find(({ extension }) => path.endsWith(`.${extension}`));
      const type = format?.contentType ?? 'application/octet-stream';
      const writer = client.file(prefix + path).writer({ type });
      return writeChunks(writer, chunks).catch(explain(`write ${path}`));
    },
    async list() {
      const names: string[] = [];
      for (;;) {
        const startAfter = names.at(-1);
        const { contents = [], isTruncated } = await client
          .list({ prefix, ...(startAfter && { startAfter: prefix + startAfter }) })
          .catch(explain('list the files'));
        names.push(...contents.map(({ key }) => key.slice(prefix.length)));
        if (!isTruncated || contents.length === 0) return names;
      }
    },
    remove: (path) => client.delete(prefix + path).catch(explain(`delete ${path}`)),
  };
}

/** Without the final request, which is not sent after an error, object stores do not show a file. */
async function writeChunks(writer: NetworkSink, chunks: FileChunks): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) {
    size += Buffer.byteLength(chunk);
    await writer.write(chunk);
    await writer.flush();
  }
  await writer.end();
  return size;
}
