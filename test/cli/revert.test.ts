import { beforeEach, describe, expect, test } from 'bun:test';
import { createPublishingWorkspace, HEADER, ONLINE } from './publishing-workspace.ts';

const { run, readJson, writeYears, publish } = createPublishingWorkspace();

describe('tenor revert', () => {
  beforeEach(async () => {
    await publish(writeYears('a.csv', { 2023: 5, 2024: 6 }));
    await publish(writeYears('b.csv', { 2024: 7, 2025: 8 }));
  });

  test('undoes a revision by a new one, which can be undone as well', async () => {
    expect((await run('revert', '2')).out).toBe(
      'Published revision 3: 0 added, 1 corrected, 1 retired, 0 unchanged.\n',
    );
    const { out: reverted } = await run('export', ONLINE);
    expect(reverted).toBe(`${HEADER}\r\n2024,6,1,1,8\r\n2023,5,1,1,7\r\n`);
    expect(await run('revert', '2')).toMatchObject({
      status: 1,
      err: 'tenor: revision 2 cannot be undone: its records were changed again by revision 3; revert the newest of these first\n',
    });
    const dryRun = await readJson('revert', '3', '--dry-run');
    expect(dryRun).toMatchObject({
      status: 'rehearsed',
      revision: null,
      counts: { added: 1, corrected: 1 },
    });
    expect(await readJson('revert', '3')).toMatchObject({
      status: 'published',
      revision: { revision: 4, source: 'revert of revision 3', added: 1, corrected: 1, retired: 0 },
    });
    expect((await run('export', ONLINE)).out).toBe(
      `${HEADER}\r\n2025,8,1,1,10\r\n2024,7,1,1,9\r\n2023,5,1,1,7\r\n`,
    );
    expect(await run('check', '--strict')).toEqual({
      status: 0,
      out: 'Checked 4 revisions, 7 records: 0 faults, 0 warnings.\n',
      err: '',
    });
  });
});
