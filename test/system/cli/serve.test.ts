import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { COMMAND, runTenor } from '../../support/run-tenor.ts';
import {
  findLink,
  findToken,
  runCurlLine,
  useServingWorkspace,
} from '../../support/serving-workspace.ts';
import { createSlowReader } from '../../support/slow-reader.ts';
import { openTerminal } from '../../support/terminal.ts';
import { isLinux } from '../../support/workers.ts';

const { workspace, start } = useServingWorkspace();

describe('the token that tenor serve makes', () => {
  test('is printed by npm start, with a curl line that reads quotes', async () => {
    const server = await start({}, ['npm', 'start']);
    expect(await runCurlLine(server)).toEqual({ status: 'ok', data: [] });
    // npm passes the signal on, so that stopping it stops the server.
    await server.stop('SIGTERM');
    await expect(fetch(server.address)).rejects.toThrow();
  });

  test('is printed again on a terminal only; elsewhere its file is named', async () => {
    workspace.database = join(workspace.folder, "the owner's", 'x.db');
    mkdirSync(dirname(workspace.database));
    const first = await start();
    const token = findToken(first.out());
    await first.stop();
    const second = await start();
    expect(second.out()).toContain(`Token: kept in ${workspace.database}.private/local-token\n`);
    expect(second.out()).not.toContain(token);
    expect(findLink(second.out())).toBe(`${second.address}/`);
    expect(await runCurlLine(second)).toEqual({ status: 'ok', data: [] });
    const third = await start({ WORKERS: '2' });
    expect([third.out().includes(token), findLink(third.out())]).toEqual([
      false,
      `${third.address}/`,
    ]);
    // Its workers would outlive a kill, and remove files while the folder is removed.
    await third.stop();
    const env = { SAMPLE_DATA: 'off', DATABASE_URL: `sqlite:${workspace.database}`, PORT: '0' };
    using terminal = openTerminal(['serve'], { env });
    await terminal.waitFor('/openapi.json');
    expect(terminal.screen()).toContain(`Token: ${token}`);
    expect(terminal.screen()).toContain(`/#token=${token}`);
  });

  test('is said to be revoked, and no other is created', async () => {
    const settings = { DATABASE_URL: `sqlite:${workspace.database}`, SAMPLE_DATA: 'off' };
    await (await start(settings)).stop();
    const { out } = await runTenor(['token', 'list', '--json'], settings);
    const [{ id }] = JSON.parse(out);
    await runTenor(['token', 'revoke', id], settings);
    const server = await start(settings);
    expect(server.out()).toContain('revoked');
    expect(findToken(server.out())).toBe('');
    expect(findLink(server.out())).toBe(`${server.address}/`);
  });

  test('is used again after the database was deleted, and replaced if its file is empty', async () => {
    const first = await start();
    await first.stop();
    rmSync(workspace.database);
    rmSync(`${workspace.database}.private/tokens`);
    const second = await start();
    expect(readFileSync(`${workspace.database}.private/local-token`, 'utf8').trim()).toBe(
      findToken(first.out()),
    );
    expect(await runCurlLine(second)).toEqual({ status: 'ok', data: [] });
    await second.stop();
    writeFileSync(`${workspace.database}.private/local-token`, '');
    const third = await start();
    expect(await runCurlLine(third)).toEqual({ status: 'ok', data: [] });
  });

  test('is one, printed once, if several servers start at once', async () => {
    const all = await Promise.all([start(), start(), start()]);
    const stored = readFileSync(`${workspace.database}.private/local-token`, 'utf8').trim();
    expect(all.map((server) => findToken(server.out())).toSorted()).toEqual(['', '', stored]);
    for (const server of all) expect(await runCurlLine(server)).toEqual({ status: 'ok', data: [] });
  });
});

describe('a running server', () => {
  test.each(['SIGTERM', 'SIGINT', ...(isLinux ? (['SIGHUP'] as const) : [])] as const)(
    'stops on %s with status 0 within seconds',
    async (signal) => {
      const server = await start();
      // An idle keep-alive connection must not delay it.
      await fetch(`${server.address}/openapi.json`);
      const { status, seconds } = await server.stop(signal);
      expect(status).toBe(0);
      expect(seconds).toBeLessThan(10);
      // A clean shutdown leaves no write-ahead log.
      expect(existsSync(`${workspace.database}-wal`)).toBe(false);
    },
  );

  test.if(isLinux)('goes on after SIGHUP if nohup started it', async () => {
    const server = await start({}, ['nohup', ...COMMAND, 'serve']);
    process.kill(server.pid, 'SIGHUP');
    // Handled in the order in which they arrive.
    expect(await server.stop('SIGTERM')).toMatchObject({ status: 0 });
    expect(server.err()).toContain('"service.stopping","signal":"SIGTERM"');
  });

  test('stops with status 0 when the signal arrives twice, as npm and a terminal send it', async () => {
    const server = await start();
    process.kill(server.pid, 'SIGINT');
    expect((await server.stop('SIGINT')).status).toBe(0);
    expect(server.err()).toContain('service.stopped');
  });

  test('completes a response to a slow reader before it stops', async () => {
    // More than the socket buffers of both sides hold, so that part of it is still unsent.
    const publisher = (await openStore(`sqlite:${workspace.database}`, catalogue)).publisher();
    const records = [{ ...fundAllocation.example, frequency: '𝔸'.repeat(4_000_000) }];
    await publishRecords(publisher, {
      dataset: fundAllocation,
      records,
      source: 'test',
      author: 'test',
    });
    publisher.close();
    const server = await start();
    const token = findToken(server.out());
    const reader = createSlowReader(
      server.address,
      `/3.0/funds/allocation?fund_id=${fundAllocation.example.fund_id}`,
      token,
    );
    await reader.hasStarted;
    const stopped = server.stop();
    await retryUntil(30_000, async () => {
      await expect(fetch(server.address)).rejects.toThrow();
    });
    const response = await reader.readRest();
    const head = response.slice(0, response.indexOf('\r\n\r\n'));
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(
      response.length - head.length - 4,
    );
    expect(response).toEndWith('}');
    expect((await stopped).status).toBe(0);
  });
});
