import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { createPublishingWorkspace, HEADER, ONLINE } from './publishing-workspace.ts';

const { run, readJson, writeFile, writeYears, publish } = createPublishingWorkspace();

describe('tenor retire', () => {
  test('retires all records of the given keys, or none', async () => {
    await publish(writeYears('a.csv', { 2022: 4, 2023: 5, 2024: 6 }));
    expect(await run('retire', ONLINE, '2023', '2021')).toEqual({
      status: 1,
      out: '',
      err: `tenor: ${ONLINE} has no record 2021; nothing was retired\n`,
    });
    expect(await run('retire', ONLINE, 'lately')).toEqual({
      status: 1,
      out: '',
      err: `tenor: "lately" is no key of ${ONLINE}: it must be a year such as 2024, FY24 or 2023-24\n`,
    });
    expect((await run('retire', ONLINE)).status).toBe(2);
    const counts = { added: 0, corrected: 0, retired: 2, unchanged: 0 };
    const dryRun = await readJson('retire', ONLINE, 'FY23', '2022', '--dry-run');
    expect(dryRun).toEqual({ status: 'rehearsed', revision: null, counts });
    const retired = await run('retire', ONLINE, 'FY23', '2022');
    expect(retired.out).toBe(
      'Published revision 2: 0 added, 0 corrected, 2 retired, 0 unchanged.\n',
    );
    expect((await run('export', ONLINE)).out).toBe(`${HEADER}\r\n2024,6,1,1,8\r\n`);
  });

  test('retires quotes by date and symbol', async () => {
    await publish(writeFile('q.json', JSON.stringify([quotes.example])), quotes);
    const invalid = await run('retire', 'quotes', 'ZZ12TB031226');
    expect(invalid.err).toBe(
      'tenor: "ZZ12TB031226" is no key of quotes: it must be DATE/SYMBOL, such as 2026-06-30/ZZ12TB031226\n',
    );
    expect(await readJson('retire', 'quotes', '2026-06-30/ZZ12TB031226')).toMatchObject({
      status: 'published',
      revision: { revision: 2, retired: 1 },
    });
  });
});
