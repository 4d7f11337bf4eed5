import type { LogResponse, OpenPath } from '../ledger/open-path.ts';
import type { Connection } from './connection.ts';
import { readChunks } from './read-chunks.ts';
import { parseCursor } from './response-meta.ts';

/** Opens the paths of a service of which its log is read. */
export function createOpenPath(connection: Connection, base: URL): OpenPath {
  return async (path, mediaType) =>
    toLogResponse(await connection.open(new URL(`.${path}`, base), mediaType, {}));
}

export function toLogResponse(response: Response): LogResponse {
  return Object.assign(response, {
    cursor: parseCursor(response),
    chunks: readChunks(response),
  });
}
