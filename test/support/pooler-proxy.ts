import { startProxy } from './tcp-proxy.ts';

/** A PostgreSQL proxy that behaves like PgBouncer towards clients. */
export interface PoolerProxy {
  readonly port: number;
  /** The names of statements that clients have prepared: in transaction mode there must be none. */
  readonly preparedStatements: ReadonlySet<string>;
  stop(): void;
}

/** What PgBouncer accepts at the start of a connection, beyond what it is configured to ignore. */
const ACCEPTED_PARAMETERS = [
  'user',
  'database',
  'client_encoding',
  'DateStyle',
  'TimeZone',
  'standard_conforming_strings',
  'application_name',
];

const STARTUP_HEADER_BYTES = 8;

/** Starts a proxy of a local server that rejects settings at the start of a connection. */
export function startPoolerProxy(serverPort: number): PoolerProxy {
  const preparedStatements = new Set<string>();
  const proxy = startProxy(serverPort, (line) => {
    let isStarted = false;
    let unread = Buffer.alloc(0);
    const reject = (parameter: string) => {
      const fields = `SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: ${parameter}\0\0`;
      const header = Buffer.from('E\0\0\0\0');
      header.writeInt32BE(fields.length + 4, 1);
      line.toClient(Buffer.concat([header, Buffer.from(fields)]));
      line.end();
    };
    const readMessages = () => {
      while (unread.length >= 5 && unread.length > unread.readInt32BE(1)) {
        const length = 1 + unread.readInt32BE(1);
        const message = unread.subarray(0, length);
        // The body of a Parse message begins with the name of the statement.
        const name = message.subarray(5, message.indexOf(0, 5)).toString();
        if (message[0] === 'P'.charCodeAt(0) && name !== '') preparedStatements.add(name);
        unread = unread.subarray(length);
      }
    };
    return {
      fromClient(data) {
        unread = Buffer.concat([unread, data]);
        if (!isStarted) {
          const length = unread.readInt32BE(0);
          const texts = unread.subarray(STARTUP_HEADER_BYTES, length).toString().split('\0');
          const names = texts.filter((_, index) => index % 2 === 0 && texts[index] !== '');
          const rejected = names.find((name) => !ACCEPTED_PARAMETERS.includes(name));
          if (rejected !== undefined) return reject(rejected);
          isStarted = true;
          unread = unread.subarray(length);
        }
        readMessages();
        line.toServer(data);
      },
      fromServer: (data) => line.toClient(data),
      serverClosed: () => line.end(),
    };
  });
  return { port: proxy.port, preparedStatements, stop: () => proxy.stop(true) };
}
