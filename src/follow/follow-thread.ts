// The thread that follows another server or a mirror, which start-following.ts starts.
import { parentPort, workerData } from 'node:worker_threads';
import { catalogue } from '../catalogue/index.ts';
import { lowerThreadPriority } from '../shared/lower-thread-priority.ts';
import { system } from '../shared/system.ts';
import { openStore } from '../store/open-store.ts';
import { Follower } from './follower.ts';
import { openSource } from './open-source.ts';
import type { FollowJob } from './start-following.ts';

/** Responses come first where there are fewer cores than busy threads. */
const NICENESS = 10;

const job = workerData as FollowJob;
lowerThreadPriority(NICENESS);
// Any message means that it is to end; what it writes is committed or not.
parentPort?.on('message', () => process.exit(0));
const follower = new Follower({
  // The server has prepared the database.
  openStore: () =>
    openStore(job.databaseUrl, catalogue, {
      preparation: 'none',
      isServed: true,
      replicas: job.databaseReplicas,
      poolSize: job.databasePool,
    }),
  sourceName: job.follow,
  source: openSource(job.follow, job.followToken),
  key: job.followKey || undefined,
  acceptRestart: job.acceptRestart,
  onStatus: (status) => parentPort?.postMessage(status),
});
for (;;) await system.sleep(await follower.poll());
