import { afterEach, expect, test } from 'bun:test';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MirrorError, openMirrorTarget } from '../../src/mirror/mirror-target.ts';
import { createTempFolder } from '../support/store.ts';

const folders: string[] = [];
const createFolder = () => folders[folders.push(createTempFolder()) - 1] as string;
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const encode = (text: string) => new TextEncoder().encode(text);

test('a folder has a file once all of it is written, and nothing else', async () => {
  const folder = join(createFolder(), 'new', 'mirror');
  const target = openMirrorTarget(folder);
  expect((await target.read('data/a.parquet')).status).toBe(404);
  await target.write('data/a.parquet', [encode('one'), encode('two')]);
  expect(await (await target.read('data/a.parquet')).text()).toBe('onetwo');
  expect(await target.has('data/a.parquet')).toBe(true);
  expect(await target.has('data/b.parquet')).toBe(false);
  expect(readdirSync(folder)).toEqual(['data']);
});

test('chunks that end with an error leave the file as it was', async () => {
  const folder = createFolder();
  const target = openMirrorTarget(folder);
  await target.write('latest.json', [encode('{"revision":1}')]);
  const failing = (async function* () {
    yield encode('{"rev');
    throw new Error('lost');
  })();
  expect(target.write('latest.json', failing)).rejects.toThrow('lost');
  expect(await (await target.read('latest.json')).text()).toBe('{"revision":1}');
  expect(readdirSync(folder)).toEqual(['latest.json']);
});

test('a file, a path below one and an address of no bucket are rejected', async () => {
  const file = join(createFolder(), 'file');
  writeFileSync(file, '');
  expect(() => openMirrorTarget(file)).toThrow(
    new MirrorError('this is a file; a mirror needs a folder'),
  );
  const below = openMirrorTarget(join(file, 'mirror')).write('latest.json', []);
  expect(below).rejects.toThrow('cannot write latest.json: ');
  for (const address of ['s3:///prefix', 's3://', 'https://mirror.example.com', 'file:///srv'])
    expect(() => openMirrorTarget(address)).toThrow(
      'a mirror is in a folder or in a bucket such as s3://bucket/prefix',
    );
});
