import { afterEach, expect, test } from 'bun:test';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MirrorError, openMirrorTarget } from '../../src/mirror/mirror-target.ts';
import { ROOT } from '../support/run-tenor.ts';
import { spawnChild } from '../support/spawn-child.ts';
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
      'use a folder, or a bucket such as s3://bucket/prefix',
    );
});

test('a bucket sends files as they are, also empty ones, and says what it does not have', async () => {
  const sendError = (code: string, status: number) =>
    new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`, {
      status,
    });
  const large = 'x'.repeat(300_000);
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      const { pathname } = new URL(url);
      if (pathname.endsWith('/denied')) return sendError('AccessDenied', 403);
      if (pathname.endsWith('/none')) return sendError('NoSuchKey', 404);
      return new Response(pathname.endsWith('/empty') ? '' : large);
    },
  });
  // Bun takes credentials from the environment that a process begins with.
  const script = `
    const { openMirrorTarget } = await import('${ROOT}/src/mirror/mirror-target.ts');
    const { read } = openMirrorTarget('s3://mirror/a');
    for (const path of ['file', 'empty', 'none', 'denied'])
      console.log(await read(path).then(
        async (response) => [response.status, (await response.text()).length].join(),
        ({ message }) => message,
      ));`;
  const env = {
    ...process.env,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL: String(server.url),
  };
  const child = spawnChild([process.execPath, '-e', script], { env });
  expect(await new Response(child.stdout).text()).toBe(
    `200,${large.length}\n200,0\n404,0\ncannot read denied: AccessDenied: no\n`,
  );
  await server.stop(true);
});

test('a file in a folder that is larger than it can be is named', async () => {
  const folder = createFolder();
  const { read, write } = openMirrorTarget(folder);
  await write('latest.json', [' '.repeat(1_025)]);
  expect((await read('latest.json')).text()).rejects.toThrow(
    'latest.json can have 1,024 bytes at most, and latest.json sends more',
  );
});
