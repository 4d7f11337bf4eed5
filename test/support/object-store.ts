import { mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { spawnChild } from './spawn-child.ts';
import { createTempFolder } from './store.ts';

const GATEWAY = Bun.which('versitygw', { PATH: `${process.env.PATH}:${homedir()}/go/bin` });

/** Why there is no object store for tests; undefined if there is one. */
export function explainMissingObjectStore(): string | undefined {
  if (GATEWAY) return undefined;
  return 'versitygw is not installed (go install github.com/versity/versitygw/cmd/versitygw@latest)';
}

/** A server with the interface of S3, which has a bucket `mirror` in a folder. */
export async function startObjectStore() {
  const folder = createTempFolder();
  const bucket = join(folder, 'buckets', 'mirror');
  mkdirSync(bucket, { recursive: true });
  const address = `127.0.0.1:${findFreePort()}`;
  const keys = { ROOT_ACCESS_KEY: 'test-access', ROOT_SECRET_KEY: 'test-secret' };
  const server = spawnChild([GATEWAY ?? '', '--port', address, 'posix', join(folder, 'buckets')], {
    env: { ...process.env, ...keys },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const env = {
    AWS_ENDPOINT_URL: `http://${address}`,
    AWS_ACCESS_KEY_ID: keys.ROOT_ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: keys.ROOT_SECRET_KEY,
  };
  while (!(await fetch(env.AWS_ENDPOINT_URL).catch(() => undefined))) await Bun.sleep(50);
  return {
    bucket,
    env,
    async stop() {
      server.kill();
      await server.exited;
      rmSync(folder, { recursive: true });
    },
  };
}
