import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createPublishingWorkspace, HEADER } from './publishing-workspace.ts';

const { workspace, run, writeFile, writeYears, publish } = createPublishingWorkspace();

describe('tenor check', () => {
  test('reports a missing index and a missing view, and repairs neither', async () => {
    await publish(writeYears('a.csv', { 2023: 5 }));
    using database = new Database(join(workspace.folder, 'x.db'));
    database.run('DROP INDEX quotes_now_by_isin');
    database.run('DROP VIEW quotes');
    for (const _ of [1, 2]) {
      const { status, out } = await run('check');
      expect(status).toBe(1);
      expect(out).toContain('Fault: structure: index quotes_now_by_isin is missing\n');
      expect(out).toContain('Fault: structure: view quotes is missing\n');
    }
  });

  test('counts warnings, and fails for them only with --strict', async () => {
    await publish(writeFile('a.csv', `${HEADER}\n2024,1,1,1,9\n`));
    const [lenient, strict] = await Promise.all([run('check'), run('check', '--strict')]);
    expect(lenient).toMatchObject({ status: 0, err: '' });
    expect(lenient.out).toContain('Warning parts-off-total (1)');
    expect(strict).toMatchObject({
      status: 1,
      err: 'tenor: 1 warning\n',
    });
    expect(lenient.out).toEndWith('Checked 1 revision, 1 record: 0 faults, 1 warning.\n');
  });
});
