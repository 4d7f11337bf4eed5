import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createDraftPath } from '../../src/shared/draft-file.ts';
import { spawnChild } from '../support/spawn-child.ts';
import { createTempFolder } from '../support/store.ts';

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

const HOUR_MS = 3_600_000;
const HOST = `-${hostname()}-`;
const OWN_PID = `-${process.pid}-`;

test('a draft that this process is writing stays when it creates another', () => {
  const draft = writeDraft();
  expect(listAfterNext()).toEqual([draft]);
});

test('a draft stays that another machine or container writes, whatever the number of its process', async () => {
  const pid = `-${await findEndedPid()}-`;
  const drafts = [
    ...[OWN_PID, pid].map((number) => writeDraft([HOST, '-other-'], [OWN_PID, number])),
    ...[OWN_PID, pid].map((number) => writeDraft([/-\d+(-\d+-\w+)$/, `-1${number}0123abcd`])),
  ];
  expect(listAfterNext()).toEqual(drafts.toSorted());
});

test('a draft is removed whose process has ended, with the files next to it', async () => {
  const draft = writeDraft([OWN_PID, `-${await findEndedPid()}-`]);
  writeFileSync(join(folder, `${draft}-tokens`), 'half');
  expect(listAfterNext()).toEqual([]);
});

test('a draft is removed that an earlier process with the number of this one has left', () => {
  age(writeDraft(), process.uptime() * 1_000 + HOUR_MS);
  expect(listAfterNext()).toEqual([]);
});

test('a draft of another machine is removed after a day without a change', () => {
  const [young, old] = [writeDraft([HOST, '-a-']), writeDraft([HOST, '-b-'])];
  age(young, 23 * HOUR_MS);
  age(old, 25 * HOUR_MS);
  expect(listAfterNext()).toEqual([young]);
});

/** Writes a draft with parts of its name replaced, and returns that. */
function writeDraft(...replacements: [string | RegExp, string][]): string {
  const other = createTempFolder();
  const created = basename(createDraftPath(other));
  rmSync(other, { recursive: true });
  const name = replacements.reduce((text, [part, by]) => text.replace(part, by), created);
  writeFileSync(join(folder, name), 'half');
  return name;
}

function listAfterNext(): string[] {
  expect(dirname(createDraftPath(folder))).toBe(folder);
  return readdirSync(folder).toSorted();
}

function age(name: string, ms: number): void {
  const instant = new Date(Date.now() - ms);
  utimesSync(join(folder, name), instant, instant);
}

async function findEndedPid(): Promise<number> {
  const ended = spawnChild(['true']);
  await ended.exited;
  return ended.pid;
}
