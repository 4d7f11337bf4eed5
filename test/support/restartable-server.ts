import { catalogue } from '../../src/catalogue/index.ts';
import type { RunningServer } from '../../src/http/server/listen.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { findFreePort } from './free-port.ts';
import { startServingInProcess } from './start-thread-in-process.ts';
import type { TestStore } from './store.ts';
import { SERVER_SETTINGS } from './test-server.ts';

/** A server that can go and come back, at one address and over one store. */
export interface RestartableServer {
  readonly address: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Not started yet. */
export function createRestartableServer(store: TestStore): RestartableServer {
  const settings = { ...SERVER_SETTINGS, port: findFreePort() };
  let listening: RunningServer | undefined;
  return {
    address: `http://${settings.host}:${settings.port}`,
    async start() {
      listening = await startServer({
        store,
        catalogue,
        settings,
        emit: () => {},
        startThread: startServingInProcess,
      });
    },
    async stop() {
      await listening?.stop();
      listening = undefined;
    },
  };
}
