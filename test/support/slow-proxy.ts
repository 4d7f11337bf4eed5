import type { Socket } from 'bun';

/** Stands between a service and its server, and takes its time. */
export interface SlowProxy {
  readonly port: number;
  /** How long it keeps whatever comes from the server. */
  delayMs: number;
  stop(): void;
}

interface Line {
  readonly waiting: Uint8Array[];
  server?: Socket<Line>;
}

/** A proxy in front of a server on this machine; it is as fast as the server to begin with. */
export function slowProxy(serverPort: number): SlowProxy {
  const proxy = { port: 0, delayMs: 0, stop: () => listener.stop(true) };
  const later = (work: () => void) => {
    if (proxy.delayMs > 0) setTimeout(work, proxy.delayMs);
    else work();
  };
  const listener = Bun.listen<Line>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(client) {
        const line: Line = { waiting: [] };
        client.data = line;
        Bun.connect<Line>({
          hostname: '127.0.0.1',
          port: serverPort,
          data: line,
          socket: {
            open(server) {
              line.server = server;
              for (const bytes of line.waiting) server.write(bytes);
            },
            data: (_, data) => {
              later(() => client.write(data));
            },
            close: () => {
              later(() => client.end());
            },
          },
        }).catch(() => client.end());
      },
      data({ data: line }, data) {
        if (line.server) line.server.write(data);
        else line.waiting.push(data);
      },
      close: ({ data }) => {
        data.server?.end();
      },
    },
  });
  proxy.port = listener.port;
  return proxy;
}
