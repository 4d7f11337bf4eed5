import type { Socket } from 'bun';

/** One connection through a proxy. */
export interface ProxiedConnection {
  toServer(bytes: Uint8Array): void;
  toClient(bytes: Uint8Array): void;
  /** Ends it on both sides. */
  end(): void;
}

/** What to do with the data of a connection. */
export interface ConnectionHandlers {
  fromClient(data: Uint8Array): void;
  fromServer(data: Uint8Array): void;
  /** The server has closed it. */
  serverClosed(): void;
}

/** Starts a proxy of a local server that handles each connection by callbacks. */
export function startProxy(
  serverPort: number,
  handle: (line: ProxiedConnection) => ConnectionHandlers,
) {
  return Bun.listen<{ line: ProxiedConnection; handling: ConnectionHandlers }>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(client) {
        const pending: Uint8Array[] = [];
        let server: Socket<undefined> | undefined;
        const line: ProxiedConnection = {
          // Data that arrives before the server is connected is sent later.
          toServer: (bytes) => {
            if (server) server.write(bytes);
            else pending.push(bytes);
          },
          toClient: (bytes) => {
            client.write(bytes);
          },
          end: () => {
            client.end();
            server?.end();
          },
        };
        const handling = handle(line);
        client.data = { line, handling };
        Bun.connect<undefined>({
          hostname: '127.0.0.1',
          port: serverPort,
          data: undefined,
          socket: {
            open(opened) {
              server = opened;
              for (const bytes of pending) opened.write(bytes);
            },
            data: (_, data) => handling.fromServer(data),
            close: () => handling.serverClosed(),
          },
        }).catch(() => client.end());
      },
      data: (client, data) => client.data.handling.fromClient(data),
      close: (client) => client.data.line.end(),
    },
  });
}
