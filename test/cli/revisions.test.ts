import { beforeEach, describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { createPublishingWorkspace, HEADER, ONLINE } from './publishing-workspace.ts';

const { run, readJson, writeFile, writeYears, publish } = createPublishingWorkspace();

describe('with two revisions', () => {
  beforeEach(async () => {
    await publish(writeYears('a.csv', { 2023: 5, 2024: 6 }));
    await publish(writeYears('b.csv', { 2024: 7, 2025: 8 }));
  });

  test('tenor revisions lists them newest first, and shows one with old and new values', async () => {
    const { out } = await run('revisions', '--dataset', ONLINE, '--limit', '1');
    const [titles, newest, ...rest] = out.trimEnd().split('\n');
    expect(titles?.replaceAll(/ +/g, ' ')).toBe(
      'revision published dataset added corrected retired by source',
    );
    expect(newest).toMatch(new RegExp(`^2 +\\S+Z +${ONLINE} +1 +1 +0 +ann +b.csv$`));
    expect(rest).toEqual([]);
    const revision = (await run('revisions', '2')).out.split('\n');
    expect(revision[0]).toMatch(new RegExp(`^Revision 2 of ${ONLINE}, published \\S+Z by ann$`));
    expect(revision.slice(1)).toEqual([
      'Source: b.csv',
      expect.stringMatching(/^File: b\.csv, \d+ bytes, SHA-256 [0-9a-f]{64}$/),
      '1 added, 1 corrected, 0 retired, 0 unchanged',
      'Read 2 records.',
      '',
      'corrected 2024',
      '  cash_wtl  6 → 7',
      '  total     8 → 9',
      'added 2025',
      '  cash_wtl 8, cash_deposit 1, funds_transfer 1, total 10',
      '',
    ]);
    expect(await readJson('revisions', '2', '--limit', '1')).toMatchObject({
      revision: 2,
      report: { records: 2 },
      changes: [{ change: 'corrected', old: { cash_wtl: 6 }, new: { cash_wtl: 7 } }],
    });
    expect((await run('revisions', '2', '--limit', '1')).out).toEndWith(
      '… and 1 more; use --limit to show them\n',
    );
  });

  test('tenor revisions tells how many records have which status, and a change of it alone', async () => {
    await publish(writeFile('c.csv', `${HEADER}\n2024 (P),7,1,1,9\n2025,8 e,1,1,10\n`));
    const { out } = await run('revisions', '3');
    expect(out.split('\n').slice(3)).toEqual([
      '0 added, 2 corrected, 0 retired, 0 unchanged',
      'Read 2 records.',
      'Status: P 1, E 1.',
      '',
      'corrected 2025',
      '  only its status',
      'corrected 2024',
      '  only its status',
      '',
    ]);
    expect(await readJson('revisions', '3')).toMatchObject({
      report: { statuses: { P: 1, E: 1 } },
    });
  });

  test('a note is shown by tenor revisions and in the options of its revision', async () => {
    const file = writeYears('c.csv', { 2024: 9 });
    expect((await run('load', ONLINE, file, '--note', 'Bank X reported\nagain')).status).toBe(0);
    const { out } = await run('revisions');
    expect(out.split('\n')[0]).toEndWith('source  note');
    expect(out.split('\n')[1]).toMatch(/c\.csv +Bank X reported again$/);
    expect((await run('revisions', '3')).out).toContain('\nNote: Bank X reported\nagain\n');
    const note = 'Bank X reported\nagain';
    expect(await readJson('revisions', '3')).toMatchObject({
      note,
      options: { release: { note } },
    });
    expect((await readJson('revisions'))[1]).not.toHaveProperty('note');
    await run('retire', ONLINE, '2025', '--note', 'Gone');
    await run('revert', '3', '--note', 'Back');
    const notes = (await readJson('revisions')).map((revision: { note?: string }) => revision.note);
    expect(notes).toEqual(['Back', 'Gone', note, undefined, undefined]);
    expect((await run('check')).status).toBe(0);
  });

  test.each([
    ['', '--note must be text without control characters other than line breaks'],
    ['a\u001b[2J', '--note must be text without control characters other than line breaks'],
    ['x'.repeat(2_001), '--note must have at most 2000 characters, and this one has 2001'],
  ])('a note that is not allowed is wrong use (%#)', async (note, message) => {
    const { status, err } = await run('retire', ONLINE, '2024', '--note', note);
    expect([status, err.split('\n')[0]]).toEqual([2, `tenor: ${message}`]);
  });

  test('tenor revisions says on standard error if there are more, as JSON too', async () => {
    const calls = [
      ['--limit', '1'],
      ['--limit', '1', '--json'],
      ['--limit', '2'],
      ['2', '--json'],
    ];
    const results = await Promise.all(calls.map((args) => run('revisions', ...args)));
    const note = 'tenor: showing the newest 1 revision; use --limit for more\n';
    expect(results.map(({ err }) => err)).toEqual([note, note, '', '']);
    const { out, err } = await run('revisions', '2', '--json', '--limit', '1');
    expect(err).toBe('tenor: showing 1 of 2 changes; use --limit to show more\n');
    expect(JSON.parse(out).changes).toHaveLength(1);
  });

  test('tenor revert undoes a revision by a new one, which can be undone as well', async () => {
    expect((await run('revert', '2')).out).toBe(
      'Published revision 3: 0 added, 1 corrected, 1 retired, 0 unchanged.\n',
    );
    const { out: reverted } = await run('export', ONLINE);
    expect(reverted).toBe(`${HEADER}\r\n2024,6,1,1,8\r\n2023,5,1,1,7\r\n`);
    expect(await run('revert', '2')).toMatchObject({
      status: 1,
      err: 'tenor: revision 2 is reverted already, by revision 3; tenor revert 3 would publish again what it had published\n',
    });
    const dryRun = await readJson('revert', '3', '--dry-run');
    expect(dryRun).toMatchObject({
      status: 'rehearsed',
      dryRun: true,
      revision: null,
      counts: { added: 1, corrected: 1 },
    });
    expect(await readJson('revert', '3')).toMatchObject({
      status: 'published',
      dryRun: false,
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

  test('tenor revert says which commands lead on if a revision is reverted or was changed again', async () => {
    const { out: published } = await run('export', ONLINE);
    await run('revert', '2');
    await run('revert', '3');
    expect((await run('export', ONLINE)).out).toBe(published);
    expect((await run('revert', '3')).err).toBe(
      'tenor: revision 3 is reverted already, by revision 4; tenor revert 4 would publish again what it had published\n',
    );
    // What 4 restored can be reverted as 2 or as 4, and what it says then leads back.
    expect(await run('revert', '2')).toMatchObject({ status: 0 });
    expect((await run('revert', '2')).err).toContain(
      'already, by revision 3; tenor revert 3 would',
    );
    expect(await run('revert', '3')).toMatchObject({ status: 0 });
    expect((await run('export', ONLINE)).out).toBe(published);
  });

  test('tenor revert names the steps if records were corrected later, and these lead to the state before', async () => {
    const { out: published } = await run('export', ONLINE);
    await run('load', ONLINE, writeYears('c.csv', { 2024: 9 }));
    await run('load', ONLINE, writeYears('d.csv', { 2025: 10 }));
    const { status, err } = await run('revert', '2');
    expect({ status, err }).toEqual({
      status: 1,
      err: 'tenor: revision 2 cannot be reverted yet: its records were changed again by revisions 3, 4; to take these changes back as well: tenor revert 4, then tenor revert 3, then tenor revert 2\n',
    });
    expect(published).toContain('2024,7,');
    for (const [, number = ''] of err.matchAll(/tenor revert (\d+)/g))
      expect(await run('revert', number)).toMatchObject({ status: 0 });
    expect((await run('export', ONLINE)).out).toContain('\r\n2024,6,');
  });

  test('tenor revert and tenor revisions reject an unknown revision and a text that is no number', async () => {
    for (const command of ['revert', 'revisions']) {
      const [unknown, invalid] = await Promise.all([run(command, '9'), run(command, 'last')]);
      expect(unknown).toMatchObject({ status: 1, err: 'tenor: there is no revision 9\n' });
      expect(invalid).toMatchObject({
        status: 2,
        err: expect.stringContaining('tenor revisions lists them'),
      });
    }
  });
});

test('tenor revisions shows the mapping and the options that a revision was made with', async () => {
  const file = writeYears('a.csv', { 2024: 6 });
  await run('load', ONLINE, file, '--create', '--blank', 'zero', '--replace');
  const { out } = await run('revisions', '1');
  expect(out).toContain('\nMapping: {"blank":"zero"}\nOptions: replace\n1 added');
});

test('tenor revert of quotes names the revision that reverts their terms, too', async () => {
  const { maturityYears: _, ytm: _ytm, duration: _duration, ...fields } = quotes.example;
  const file = writeFile('q.json', JSON.stringify([{ ...fields, couponRate: 10 }]));
  await publish(file, quotes);
  const added = '1 added, 0 corrected, 0 retired, 0 unchanged.\n';
  const retired = '0 added, 0 corrected, 1 retired, 0 unchanged.\n';
  expect((await run('revert', '1', '--dry-run')).out).toBe(
    `Dry run, nothing published. Would be: ${retired}Would be a revision of securities, the terms that came with the quotes: ${retired}`,
  );
  expect((await run('revert', '1')).out).toBe(
    `Published revision 3: ${retired}Published revision 4 of securities, the terms that came with the quotes: ${retired}`,
  );
  expect((await run('revert', '3')).out).toContain(
    `Published revision 6 of securities, the terms that came with the quotes: ${added}`,
  );
  expect(await readJson('revert', '5')).toMatchObject({
    status: 'published',
    revision: { revision: 7, dataset: 'quotes' },
    termsRevision: { revision: 8, dataset: 'securities' },
  });
});

test('tenor revisions shortens the values of a retired fund', async () => {
  const { example } = fundAllocation;
  await publish(writeFile('a.json', JSON.stringify([example])), fundAllocation);
  await run('retire', 'fund-allocation', example.fund_id);
  const lines = (await run('revisions', '2')).out.trimEnd().split('\n').slice(-2);
  expect(lines).toEqual([
    `retired ${example.fund_id}`,
    '  created "2023-08-08T09:00:00Z", modified "2026-07-08T09:00:00Z", frequency "monthly", periods [{"label":"Jun 2026","date":"2026-06-30"},{"label":"May 202…, rows [{"label":"Cash","values":[10.8,9.3]},{"label":"Treasury Bi…',
  ]);
});

describe('tenor retire', () => {
  test('retires all records of the given keys, or none', async () => {
    await publish(writeYears('a.csv', { 2022: 4, 2023: 5, 2024: 6 }));
    expect(await run('retire', ONLINE, '2023', '2021')).toEqual({
      status: 1,
      out: '',
      err: `tenor: ${ONLINE} has no record 2021; nothing was retired\n`,
    });
    expect(await run('retire', ONLINE, 'yesterday')).toEqual({
      status: 1,
      out: '',
      err: `tenor: "yesterday" is no key of ${ONLINE}: it must be a year such as 2024, FY24 or 2023-24\n`,
    });
    expect(await run('retire', ONLINE, 'FY23', '2022')).toEqual({
      status: 1,
      out: '',
      err: `tenor: ${ONLINE} has no record FY23, but 2023; nothing was retired\n`,
    });
    expect((await run('retire', ONLINE)).status).toBe(2);
    const counts = { added: 0, corrected: 0, retired: 2, unchanged: 0 };
    const dryRun = await readJson('retire', ONLINE, '2023', '2022', '--dry-run');
    expect(dryRun).toEqual({ status: 'rehearsed', dryRun: true, revision: null, counts });
    const retired = await run('retire', ONLINE, '2023', '2022');
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
