import { readChunks } from './read-chunks.js';
import { parseCursor } from './response-meta.js';
/** Opens the paths of a service of which its log is read. */
export function createOpenPath(connection, base) {
    return async (path, mediaType) => toLogResponse(await connection.open(new URL(`.${path}`, base), mediaType, {}));
}
export function toLogResponse(response) {
    return Object.assign(response, {
        cursor: parseCursor(response),
        chunks: readChunks(response),
    });
}
