import { startProxy } from './tcp-proxy.ts';

/** A TCP proxy that can be paused: connections stay open and new ones are accepted, in silence. */
export interface PausableProxy extends Disposable {
  readonly port: number;
  pause(): void;
  /** Sends on what came meanwhile. */
  resume(): void;
}

export function startPausableProxy(serverPort: number): PausableProxy {
  let isPaused = false;
  const held: (() => void)[] = [];
  const whenRunning = (operation: () => void) => {
    if (isPaused) held.push(operation);
    else operation();
  };
  const listener = startProxy(serverPort, (line) => ({
    fromClient: (data) => {
      const bytes = data.slice();
      whenRunning(() => line.toServer(bytes));
    },
    fromServer: (data) => {
      const bytes = data.slice();
      whenRunning(() => line.toClient(bytes));
    },
    serverClosed: () => whenRunning(line.end),
  }));
  return {
    port: listener.port,
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      for (const operation of held.splice(0)) operation();
    },
    [Symbol.dispose]: () => listener.stop(true),
  };
}
