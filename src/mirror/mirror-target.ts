import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RESPONSE_FORMATS } from '../catalogue/model/response-format.ts';
import { createDraftPath, moveToDisk, removeDraft } from '../shared/draft-file.ts';
import { explainFileError } from '../shared/file-error.ts';

/** A folder or a part of a bucket that has the files of a mirror. */
export interface MirrorTarget {
  /** For messages. */
  readonly name: string;
  /** The content of a file, as web servers send it: with the status 404 where there is none. */
  read(path: string): Promise<Response>;
  has(path: string): Promise<boolean>;
  /** Writes a file, or nothing of it if the chunks end with an error. */
  write(path: string, chunks: FileChunks): Promise<void>;
}

export type FileChunks = AsyncIterable<Uint8Array> | readonly Uint8Array<ArrayBuffer>[];

/** A mirror cannot be read or written, or not with these options. */
export class MirrorError extends Error {}

/** The target of a path or of `s3://bucket/prefix`. */
export function openMirrorTarget(address: string): MirrorTarget {
  if (!address.startsWith('s3://')) return createFolderTarget(address);
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/+(.*?))?\/*$/.exec(address) ?? [];
  if (bucket === undefined)
    throw new MirrorError(`"${address}" must be a bucket such as s3://bucket/prefix`);
  return createBucketTarget(address, bucket, prefix === '' ? '' : `${prefix}/`);
}

function createFolderTarget(folder: string): MirrorTarget {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new MirrorError(`${folder} is a file; a mirror needs a folder`);
  return {
    name: folder,
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
          const writer = Bun.file(draft).writer();
          for await (const chunk of chunks) {
            writer.write(chunk);
            await writer.flush();
          }
          await writer.end();
          moveToDisk(draft, target);
        } finally {
          removeDraft(draft);
        }
      } catch (cause) {
        if (!(cause instanceof Error && 'code' in cause)) throw cause;
        throw new MirrorError(`cannot write ${target}: ${explainFileError(cause, folder)}`);
      }
    },
  };
}

const createNotFound = () => new Response(null, { status: 404 });

function createBucketTarget(name: string, bucket: string, prefix: string): MirrorTarget {
  const { AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const endpoint = AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL;
  // Strict servers reject the default of the library.
  const region = AWS_REGION || AWS_DEFAULT_REGION || 'us-east-1';
  const client = new Bun.S3Client({ bucket, region, ...(endpoint && { endpoint }) });
  const explain = (action: string) => (cause: { code?: string; message: string }) => {
    if (cause instanceof MirrorError || cause.code === undefined) throw cause;
    throw new MirrorError(`cannot ${action} ${name}: ${cause.code}: ${cause.message}`);
  };
  return {
    name,
    async read(path) {
      const bytes = client.file(prefix + path).bytes();
      const found = await bytes.catch((cause) =>
        cause.code === 'NoSuchKey' ? undefined : explain('read')(cause),
      );
      return found ? new Response(found) : createNotFound();
    },
    has: (path) => client.exists(prefix + path).catch(explain('read')),
    async write(path, chunks) {
      const type = findContentType(path);
      const body = 'length' in chunks ? new Blob([...chunks]) : new Response(chunks);
      await client.write(prefix + path, body, { type }).catch(explain('write to'));
    },
  };
}

const [TEXT_TYPE, BYTES_TYPE] = ['text/plain; charset=utf-8', 'application/octet-stream'];

function findContentType(path: string): string {
  const format = Object.values(RESPONSE_FORMATS).find(({ extension }) =>
    path.endsWith(`.${extension}`),
  );
  return format?.contentType ?? (path.endsWith('checkpoint') ? TEXT_TYPE : BYTES_TYPE);
}
