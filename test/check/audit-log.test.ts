import { afterAll, describe, expect, test } from 'bun:test';
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditLogChecker } from '../../src/check/check-audit-log.ts';
import { AuditFile } from '../../src/http/pipeline/audit-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenor-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
const createPath = () => join(folder, `${count++}.log`);
const open = (path: string) => new AuditFile(path, () => {});
const readLines = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1);

function check(...files: readonly (readonly string[])[]) {
  const checker = new AuditLogChecker();
  for (const [index, lines] of files.entries())
    for (const [position, line] of lines.entries())
      checker.addLine(Buffer.from(line), `${index}:${position + 1}`);
  return checker.finish();
}

const append = (file: AuditFile, number: number) =>
  file.append('read', { route: '/x', parameters: { time: `"{"time":"${number}ü` } });

/** Two processes that share a file, which is renamed, a restart of one, and one that is killed. */
async function writeFiles() {
  const path = createPath();
  const [first, second] = [open(path), open(path)];
  for (let number = 0; number < 4; number++) append(number % 3 === 1 ? second : first, number);
  renameSync(path, `${path}.1`);
  await Bun.sleep(1_050);
  for (let number = 0; number < 5; number++) append(number % 2 === 1 ? second : first, number);
  first.close();
  const third = open(path);
  for (let number = 0; number < 3; number++) append(number === 1 ? second : third, number);
  third.close();
  return [readLines(`${path}.1`), readLines(path)] as const;
}

const [older, newer] = await writeFiles();

/** Lines after which their chain has no other: that of the process that was killed is not closed. */
function isLastOfOpenChain(line: string) {
  const { chain, number } = JSON.parse(line);
  const chains = check(older, newer).chains.filter(({ isClosed }) => !isClosed);
  return chains.some((open) => open.chain === chain && open.last === number);
}

describe('the chains of an audit log', () => {
  test('have no faults, whatever processes shared the file, were restarted or killed, and over a rotation', () => {
    const { faults, warnings, chains, lines } = check(older, newer);
    expect({ faults, warnings, lines }).toEqual({
      faults: [],
      warnings: [],
      lines: older.length + newer.length,
    });
    expect(chains.map(({ first, isClosed }) => [first, isClosed])).toEqual([
      [1, true],
      [1, false],
      [1, true],
    ]);
  });

  test('find each line that is cut out, but the last one of a chain, which is then not closed', () => {
    for (const [index, line] of [...older, ...newer].entries()) {
      const lines = [older, newer].map((file, part) =>
        file.filter((_, position) => index !== position + part * older.length),
      );
      const { faultCount, chains } = check(...lines);
      const { event } = JSON.parse(line);
      if (isLastOfOpenChain(line)) expect([line, faultCount]).toEqual([line, 0]);
      else if (event !== 'closed') expect([line, faultCount]).not.toEqual([line, 0]);
      else
        expect(chains.filter(({ isClosed }) => isClosed).length + faultCount).toBe(1 + faultCount);
    }
  });

  test('find each line that is changed in any of its characters, but one after which its chain has none', () => {
    for (const [index, line] of newer.entries()) {
      const { event } = JSON.parse(line);
      if (isLastOfOpenChain(line) || event === 'closed') continue;
      for (let position = 0; position < line.length; position += 7) {
        const other = line[position] === 'x' ? 'y' : 'x';
        const changed = line.slice(0, position) + other + line.slice(position + 1);
        expect([position, check(older, newer.with(index, changed)).faultCount]).not.toEqual([
          position,
          0,
        ]);
      }
    }
  });

  test('find a line that is moved over another one of its chain, copied, or put in', () => {
    const chains = newer.map((line) => JSON.parse(line).chain);
    for (const [index, line] of newer.entries()) {
      const next = chains.indexOf(chains[index], index + 1);
      if (next > 0) {
        const swapped = newer.with(index, newer[next] ?? '').with(next, line);
        expect(check(older, swapped).faults.join()).toMatch(/was moved|goes on from/);
      }
      for (let position = index; position <= newer.length; position++)
        expect(check(older, newer.toSpliced(position, 0, line)).faultCount).toBe(1);
      for (const other of ['{"time":"2026-01-01T00:00:00.000Z","event":"read"}', 'x', '[]', '7'])
        expect(check(older, newer.toSpliced(index, 0, other)).faultCount).toBe(1);
    }
  });

  test('say what is in no file that is given, and find the head of a file that was cut off', () => {
    const { faults, warnings } = check(newer);
    expect(faults).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(/^0:1: chain \S+ goes on from a file that was not given$/),
      expect.stringMatching(/^0:3: chain \S+ goes on from a file that was not given$/),
    ]);
    expect(check(newer.slice(1)).faults).toEqual([
      expect.stringMatching(/^0:1: the lines of chain \S+ before it were cut out$/),
    ]);
    expect(check(older.slice(0, -1), newer).faults).toEqual([
      expect.stringMatching(/^1:1: chain \S+ goes on from number 3 with 5: lines were cut out/),
    ]);
  });

  test('tell lines that were cut by a full disk or a kill from those that somebody has cut', () => {
    const path = createPath();
    const killed = open(path);
    append(killed, 1);
    appendFileSync(path, '{"time":"2026-06-01T00:00:00.000Z","chain":"\xfc');
    const next = open(path);
    append(next, 1);
    const other = open(path);
    append(other, 1);
    const lines = readLines(path);
    expect(lines).toHaveLength(7);
    expect(check(lines)).toMatchObject({
      faults: [],
      warnings: ['0:3: cut off, as by a full disk or a kill'],
    });
    // A process that knows nothing of what another one left.
    const joined = lines.toSpliced(2, 2, `${lines[2]}${lines[3]}`);
    expect(check(joined)).toMatchObject({ faultCount: 0, warningCount: 1 });
    const whole = lines.toSpliced(5, 2, `${lines[5]}${lines[6]}`);
    expect(check(whole)).toMatchObject({ faultCount: 0, warningCount: 1 });
    const shortened = lines.with(3, lines[3]?.slice(0, 40) ?? '');
    expect(check(shortened).faults).toEqual([
      expect.stringMatching(/^0:5: the lines of chain \S+ before it were cut out$/),
    ]);
  });

  test('may begin after a line that others have put a thousand more behind, and after none that is farther', () => {
    const path = createPath();
    const [first, second] = [open(path), open(path)];
    append(first, 1);
    append(second, 1);
    for (let number = 0; number < 1_000; number++) append(first, number);
    const lines = readLines(path);
    const own = lines.splice(2, 2);
    expect(check([...lines.slice(0, -1), ...own]).faults).toEqual([]);
    expect(check([...lines, ...own]).faults).toEqual([
      expect.stringMatching(/^0:1003: the line before chain \S+ was changed or cut out$/),
    ]);
  });

  test('begin after lines of an earlier version, which had none', () => {
    const path = createPath();
    for (const day of [1, 2])
      appendFileSync(path, `{"time":"2026-01-0${day}T00:00:00.000Z","event":"read"}\n`);
    const file = open(path);
    append(file, 1);
    file.close();
    const lines = readLines(path);
    expect(check(lines)).toMatchObject({
      faultCount: 0,
      warnings: [expect.stringMatching(/^0:1: lines of an earlier version, which had no chain/)],
    });
    expect(check(lines.with(1, lines[1]?.replace('2026', '2027') ?? '')).faults).toEqual([
      expect.stringMatching(/^0:3: the line before chain \S+ was changed or cut out$/),
    ]);
  });
});
