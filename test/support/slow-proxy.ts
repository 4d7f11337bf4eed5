import { startProxy } from './tcp-proxy.ts';

/** A TCP proxy that delays what the server sends. */
export interface SlowProxy {
  readonly port: number;
  /** The delay of what the server sends. */
  delayMs: number;
  stop(): void;
}

/** Starts a proxy of a local server, without delay at first. */
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
