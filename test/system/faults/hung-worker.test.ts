import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { retryUntil } from '../../support/eventually.ts';
import {
  findLiveWorkers,
  isLinux,
  readLog,
  readProcessId,
  requestFromAllWorkers,
  useWorkerServers,
} from '../../support/workers.ts';

setDefaultTimeout(120_000);

const TARGET = '/2.0/bnb/quote';
const { start } = useWorkerServers();

describe.if(isLinux)('a worker that does not respond', () => {
  test('is killed and replaced, also if all of them are stopped, and the log says why', async () => {
    const server = await start();
    const stopped = findLiveWorkers(server);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    await retryUntil(20_000, async () => {
      const deaths = readLog(server, 'worker.died');
      expect(deaths.map(({ pid }) => Number(pid)).toSorted()).toEqual(stopped.toSorted());
      for (const { signal, cause } of deaths)
        expect([signal, cause]).toEqual([
          'SIGKILL',
          expect.stringMatching(/^it did not respond for \d+\.\d s$/),
        ]);
      expect(findLiveWorkers(server)).toHaveLength(2);
    });
    const responses = await requestFromAllWorkers(server, TARGET);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(readProcessId)).size).toBe(2);
  });

  test('is not taken for one while its supervisor did not run itself', async () => {
    const server = await start();
    const workers = findLiveWorkers(server);
    process.kill(server.pid, 'SIGSTOP');
    await Bun.sleep(3_000);
    process.kill(server.pid, 'SIGCONT');
    // Several of its ticks.
    await Bun.sleep(1_000);
    expect(readLog(server, 'worker.died')).toEqual([]);
    expect(findLiveWorkers(server)).toEqual(workers);
  });
});
