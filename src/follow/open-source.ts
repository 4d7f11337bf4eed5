import { Connection } from '../../clients/typescript/src/connection.ts';
import type { TenorError } from '../../clients/typescript/src/errors.ts';
import { createFileReader } from '../../clients/typescript/src/mirror/file-reader.ts';
import { type ReadFile, readLatest } from '../../clients/typescript/src/mirror/mirror-files.ts';
import { type OpenedMirror, openMirror } from '../../clients/typescript/src/mirror/open-mirror.ts';
import { resolveOptions } from '../../clients/typescript/src/options.ts';
import { isTemporary } from '../../clients/typescript/src/retry.ts';
import { openMirrorTarget } from '../mirror/mirror-target.ts';

/** The server or mirror that is followed. */
export interface FollowSource {
  /** Opens its newest state, for as long as it takes to follow it. */
  open(): Promise<OpenedSource>;
}

/** The paths of a server, and the first revision that it has. */
export type OpenedSource = Pick<OpenedMirror, 'open' | 'since'>;

const TIMEOUT_MS = 30_000;

/** The source at an address, where a server or a mirror is, or a folder or bucket with a mirror. */
export function openSource(address: string, token?: string): FollowSource {
  if (!/^https?:/i.test(address)) return createMirrorSource(openMirrorTarget(address).read);
  const read = createFileReader(address, { tries: 1, timeoutMs: TIMEOUT_MS });
  let source: FollowSource | undefined;
  return {
    async open() {
      source ??= await readLatest(read).then(
        () => createMirrorSource(read),
        (cause: TenorError) => {
          if (isTemporary(cause)) throw cause;
          return createServerSource(address, token);
        },
      );
      return source.open();
    },
  };
}

function createMirrorSource(read: ReadFile): FollowSource {
  let mirror: OpenedMirror | undefined;
  return {
    async open() {
      if (mirror?.revision !== (await readLatest(read))) mirror = await openMirror(read);
      return mirror;
    },
  };
}

function createServerSource(baseUrl: string, token = 'none'): FollowSource {
  const fetch = fetchBody;
  const options = resolveOptions({ baseUrl, token, fetch, timeoutMs: TIMEOUT_MS });
  const limits = { tries: Number.POSITIVE_INFINITY, totalMs: Number.POSITIVE_INFINITY };
  const connection = new Connection({ ...options, ...limits, shouldRetry });
  return {
    async open() {
      // A database that was restored has older ones than were seen, which its log tells.
      const current = connection.withoutSeenRevision();
      return {
        since: 1,
        open: (path, type) => current.open(new URL(`.${path}`, options.base), type, {}),
      };
    },
  };
}

/** Everything else is tried again by looking at the source again. */
function shouldRetry({ kind }: TenorError): boolean {
  return kind === 'too_many_requests';
}

/** With the whole body, so that the timeout holds for it too. */
async function fetchBody(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const body = await response.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, response);
}
