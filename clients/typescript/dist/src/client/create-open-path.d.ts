import type { LogResponse, OpenPath } from '../ledger/open-path.ts';
import type { Connection } from './connection.ts';
/** Opens the paths of a service of which its log is read. */
export declare function createOpenPath(connection: Connection, base: URL): OpenPath;
export declare function toLogResponse(response: Response): LogResponse;
