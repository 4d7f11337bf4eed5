// The thread that follows another server or a mirror, started by start-following.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { catalogue } from '../catalogue/index.ts';
import { parseSettings } from '../settings.ts';
import { system } from '../shared/system.ts';
import { openStore } from '../store/open-store.ts';
import { Follower } from './follower.ts';
import { openUpstream } from './open-upstream.ts';

// Any message asks it to exit; whatever it was writing is either committed or not.
parentPort?.on('message', () => process.exit(0));
const { follow, followToken, followKey, ...settings } = parseSettings(process.env);
const { databaseUrl, databaseReplicas: replicas, databasePool: poolSize } = settings;
const options = { preparation: 'none', isServed: true, replicas, poolSize } as const;
const follower = new Follower({
  // The server has already prepared the database.
  openStore: () => openStore(databaseUrl, catalogue, options),
  source: openUpstream(follow, followToken),
  sourceName: follow,
  key: followKey || undefined,
  acceptRestart: workerData as string | undefined,
  onStatus: (status) => parentPort?.postMessage(status),
});
for (;;) await system.sleep(await follower.poll());
