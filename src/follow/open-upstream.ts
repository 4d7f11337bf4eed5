import { fetchBuffered } from '../client/bounded-response.ts';
import { Connection } from '../client/connection.ts';
import { createOpenPath } from '../client/create-open-path.ts';
import type { TenorError } from '../client/errors.ts';
import { createFileReader } from '../client/mirror/file-reader.ts';
import { type ReadFile, readLatest } from '../client/mirror/mirror-files.ts';
import { type OpenedMirror, openMirror } from '../client/mirror/open-mirror.ts';
import { resolveOptions } from '../client/options.ts';
import { isTemporary } from '../client/retry.ts';
import { openMirrorTarget } from '../mirror/mirror-target.ts';

export interface Upstream {
  /** Opens its newest state, at least as new as a checkpoint, for the time it takes to apply it. */
  open(checkpoint?: string): Promise<OpenedUpstream>;
}

/** The paths of a source, and its first revision. */
export interface OpenedUpstream extends Pick<OpenedMirror, 'open' | 'since'> {
  /** The interval of polls, if they cost little. */
  readonly intervalMs?: number;
}

const SERVER_INTERVAL_MS = 250;

const TIMEOUT_MS = 30_000;

/** The server or mirror at an address, or the mirror in a folder or bucket. */
export function openUpstream(address: string, token?: string): Upstream {
  if (!/^https?:/i.test(address)) return createMirrorUpstream(openMirrorTarget(address).read);
  const read = createFileReader(address, { tries: 1, timeoutMs: TIMEOUT_MS });
  let source: Upstream | undefined;
  return {
    async open(checkpoint) {
      if (source) return source.open(checkpoint);
      const isMirror = await readLatest(read).then(Boolean, (cause: TenorError) => {
        if (isTemporary(cause)) throw cause;
      });
      const found = isMirror ? createMirrorUpstream(read) : createServerUpstream(address, token);
      const opened = await found.open(checkpoint);
      // Without a log yet, it may still become a mirror.
      const log =
        isMirror || opened.open('/ledger/checkpoint', 'text/plain').catch(() => undefined);
      if (await log) source = found;
      return opened;
    },
  };
}

function createMirrorUpstream(read: ReadFile): Upstream {
  return { open: (checkpoint) => openMirror(read, checkpoint) };
}

function createServerUpstream(baseUrl: string, token = 'none'): Upstream {
  const limits = { timeoutMs: TIMEOUT_MS, tries: MAX, totalMs: MAX, cacheCharacters: 0 };
  // Bodies are buffered, so that the timeout covers them too.
  const options = resolveOptions({ baseUrl, token, fetch: fetchBuffered, ...limits });
  // All other requests are retried by the next poll.
  const shouldRetry = ({ kind }: TenorError) => kind === 'too_many_requests';
  const connection = new Connection({ ...options, shouldRetry });
  return {
    async open() {
      // A restored database has older revisions than seen before, which its log reveals.
      const current = connection.withoutSeenRevision();
      return {
        since: 1,
        intervalMs: SERVER_INTERVAL_MS,
        open: createOpenPath(current, options.base),
      };
    },
  };
}

const MAX = Number.POSITIVE_INFINITY;
