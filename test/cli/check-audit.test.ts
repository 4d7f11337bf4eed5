import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { AuditFile } from '../../src/http/pipeline/audit-file.ts';
import { runTenor } from '../support/run-tenor.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenor-test-'));
const path = join(folder, 'audit.log');
afterAll(() => rmSync(folder, { recursive: true }));

const file = new AuditFile(path, () => {});
for (let number = 0; number < 3; number++) file.append('read', { records: number });
renameSync(path, `${path}.1`);
await Bun.sleep(1_050);
file.append('read', {});
file.close();
writeFileSync(`${path}.1.gz`, gzipSync(readFileSync(`${path}.1`)));
const lines = readFileSync(`${path}.1`, 'utf8').split('\n');
const write = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const changed = write(
  'changed.log',
  lines.with(2, lines[2]?.replace('read', 'sent') ?? '').join('\n'),
);
const cut = write(
  'cut.log',
  `${lines.slice(0, 2).join('\n')}\n{"time":"2026-0\n${lines.slice(2).join('\n')}`,
);

/** No database is opened, and none is there. */
const check = (...args: string[]) =>
  runTenor(['check', '--audit', ...args], { DATABASE_URL: 'sqlite:/none.db' });

describe('tenor check --audit', () => {
  test('verifies files in any order, also compressed ones, without a database', async () => {
    for (const older of [`${path}.1`, `${path}.1.gz`])
      expect(await check(path, older)).toEqual({
        status: 0,
        out: 'Checked 7 lines of 1 chain in 2 files: 0 faults, 0 warnings.\n',
        err: '',
      });
    const { out, status } = await check(path, `${path}.1`, '--json', '--strict');
    expect([status, JSON.parse(out)]).toEqual([
      0,
      {
        lines: 7,
        chains: [
          {
            chain: expect.any(String),
            first: 1,
            last: 7,
            digest: expect.stringMatching(/^[\da-f]{64}$/),
            isClosed: true,
          },
        ],
        faults: [],
        faultCount: 0,
        warnings: [],
        warningCount: 0,
      },
    ]);
  });

  test('says that a process may be running, and that an earlier file was not given', async () => {
    expect(await check(`${path}.1`)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^Chain \S+ is not closed after number 4 \([\da-f]{64}\)\.$/m),
    });
    const missing =
      /^Warning: \S*audit\.log, line 1: chain \S+ goes on from a file that was not given$/m;
    expect(await check(path)).toMatchObject({ status: 0, out: expect.stringMatching(missing) });
    expect(await check(path, '--strict')).toMatchObject({
      status: 1,
      err: 'tenor: 1 warning\n',
    });
  });

  test('fails with status 1 if a line was changed, not if a full disk has cut one', async () => {
    expect(await check(changed)).toMatchObject({
      status: 1,
      out: expect.stringMatching(
        /^Fault: \S*changed\.log, line 3: number 3 of chain \S+ was changed$/m,
      ),
      err: 'tenor: the audit log was changed: 1 fault\n',
    });
    const json = await check(changed, '--json');
    expect([json.status, json.err, JSON.parse(json.out).faultCount]).toEqual([
      1,
      'tenor: the audit log was changed: 1 fault\n',
      1,
    ]);
    expect(await check(cut)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^Warning: \S*cut\.log, line 3: cut off, as by a full disk or/),
    });
  });

  test('lists the first hundred faults and the last ten chains that are not closed, and counts all', async () => {
    const many = write('many.log', '');
    const names = Array.from({ length: 11 }, () => {
      new AuditFile(many, () => {}).append('read', {});
      const last = readFileSync(many, 'utf8').trim().split('\n').at(-1) ?? '';
      return JSON.parse(last).chain;
    });
    writeFileSync(many, `${readFileSync(many, 'utf8')}${'7\n'.repeat(101)}`);
    const { out } = await check(many);
    expect(out.match(/^Fault: /gm)).toHaveLength(100);
    expect(out).toContain('\n… and 1 more\n');
    expect(out).toEndWith('Checked 123 lines of 11 chains in 1 file: 101 faults, 0 warnings.\n');
    const open = [...out.matchAll(/^Chain (\S+) is not closed/gm)].map(([, name]) => name);
    expect(open).toEqual(names.slice(1));
    const { faults, faultCount, chains } = JSON.parse((await check(many, '--json')).out);
    expect([faults.length, faultCount, chains.length]).toEqual([100, 101, 11]);
  });

  test('rejects files that cannot be read, and arguments without the option', async () => {
    expect(await check(join(folder, 'none.log'))).toEqual({
      status: 1,
      out: '',
      err: `tenor: ${join(folder, 'none.log')} does not exist\n`,
    });
    expect((await runTenor(['check', path])).err).toContain(`unexpected argument "${path}"`);
    const broken = write(
      'broken.gz',
      gzipSync(lines.join('\n')).subarray(0, 60).toString('latin1'),
    );
    expect((await check(broken)).status).toBe(1);
  });
});
