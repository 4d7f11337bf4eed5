import { startProxy } from './tcp-proxy.ts';

/** Stands between a service and its server, and takes its time. */
export interface SlowProxy {
  readonly port: number;
  /** How long it keeps whatever comes from the server. */
  delayMs: number;
  stop(): void;
}

/** A proxy in front of a server on this machine; it is as fast as the server to begin with. */
export function startSlowProxy(serverPort: number): SlowProxy {
  const later = (operation: () => void) => {
    if (proxy.delayMs > 0) setTimeout(operation, proxy.delayMs);
    else operation();
  };
  const listener = startProxy(serverPort, (line) => ({
    fromClient: line.toServer,
    fromServer: (data) => later(() => line.toClient(data)),
    serverClosed: () => later(line.end),
  }));
  const proxy = { port: listener.port, delayMs: 0, stop: () => listener.stop(true) };
  return proxy;
}
