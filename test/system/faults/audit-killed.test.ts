import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { createSampleDatabase } from '../../support/explorer.ts';
import { runTenor } from '../../support/run-tenor.ts';
import { findLiveWorkers, isLinux, TOKEN, useWorkerServers } from '../../support/workers.ts';

const READS = 2_000;
const CLIENTS = 8;
const { start, file } = useWorkerServers();

test.if(isLinux)(
  'every response that was received whole is in the audit log, whatever is killed, and its chains have no faults',
  async () => {
    await createSampleDatabase(file('x.db'));
    const server = await start({ AUDIT_LOG: file('audit.log') });
    const received: string[] = [];
    let sent = 0;
    let kills = 0;
    const ask = async () => {
      while (received.length < READS) {
        const number = sent++;
        // One after the other, while clients read: another worker takes the place of each.
        const [worker] = number % 500 === 250 ? findLiveWorkers(server) : [];
        if (worker !== undefined) {
          process.kill(worker, 'SIGKILL');
          kills++;
        }
        const id = `read-${number}`;
        const headers = { authorization: `Bearer ${TOKEN}`, 'X-Request-Id': id };
        const target = `${server.address}/2.0/bnb/quote?limit=${1 + (number % 50)}`;
        try {
          const response = await fetch(target, { headers });
          await response.arrayBuffer();
          if (response.ok) received.push(id);
        } catch {
          // Its worker was killed; the next one takes a moment to start.
          await Bun.sleep(20);
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, ask));
    const lines = readFileSync(file('audit.log'), 'utf8').split('\n').slice(0, -1);
    const audited = new Set(lines.map((line) => JSON.parse(line).requestId));
    expect(sent).toBeGreaterThan(received.length);
    expect(received.filter((id) => !audited.has(id))).toEqual([]);
    await server.stop();
    const check = await runTenor(['check', '--audit', file('audit.log'), '--json']);
    const { faults, chains } = JSON.parse(check.out);
    expect([check.status, faults]).toEqual([0, []]);
    // Those of workers that were killed, and of the last two, one of which may have had no request.
    const closed = chains.filter(({ isClosed }: { isClosed: boolean }) => isClosed);
    expect(closed.length).toBeWithin(1, 3);
    expect(chains.length - closed.length).toBeWithin(1, kills + 1);
  },
  120_000,
);
