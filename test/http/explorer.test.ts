import { describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEvent } from '../../src/event-log.ts';
import { handleRequest } from '../../src/http/handle-request.ts';
import { createFailedAuthLimiter } from '../../src/http/rate-limiting/failed-auth-limiter.ts';
import { createServerContext } from '../../src/http/server-context.ts';
import { buildExplorerBundle } from '../../src/http/static/explorer/bundle.ts';
import { createExplorerRoutes } from '../../src/http/static/explorer/routes.ts';
import { getRaw } from '../support/raw-http.ts';
import { createStore, createTempFolder } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const paths = createExplorerRoutes().map(({ path }) => path);
const TYPES: Readonly<Record<string, string>> = {
  '/': 'text/html; charset=utf-8',
  '/explorer/main.js': 'text/javascript; charset=utf-8',
  '/explorer/main.css': 'text/css; charset=utf-8',
};

const service = useTestServer(createStore);

const noToken = { authorization: '' };

describe('the explorer', () => {
  test('is a page that is open to all, whatever its address asks for', async () => {
    const plain = await (await service.request('/', noToken)).text();
    for (const query of ['?', '?view=ledger&revision=14', '?view=%00', '?limit=0&limit=0&x=%zz']) {
      const response = await service.request(`/${query}`, noToken);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(plain);
    }
  });

  test('lets in nothing inline, nothing evaluated and nothing from elsewhere', async () => {
    const { headers } = await service.request('/', noToken);
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "font-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'none'",
    ]);
  });

  test('has nothing inline, and names no address but its own', async () => {
    const page = await (await service.request('/', noToken)).text();
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.toSorted()).toEqual([
      'docs',
      'docs/icon.svg',
      'explorer/main.css',
      'explorer/main.js',
    ]);
    for (const address of addresses) {
      expect((await service.request(`/${address}`, noToken)).status).toBe(200);
    }
  });

  test('is found under no other name', async () => {
    for (const path of [
      '//',
      '/.',
      '/explorer',
      '/explorer/',
      '/explorer/main.tsx',
      '/index.html',
    ]) {
      expect((await getRaw(service.address, path)).status).toBe(404);
    }
  });

  test('is there in less than 250 KB, compressed', async () => {
    const sizes = await Promise.all(
      [...paths, '/docs/icon.svg'].map((path) => sizeOf(path, 'gzip')),
    );
    expect(sizes.every((size) => size > 100)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(250_000);
  });
});

describe.each(paths)('%s', (path) => {
  test('says what it is, and is to be taken for nothing else', async () => {
    const { status, headers } = await service.request(path, noToken);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(TYPES[path] ?? '');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  test('is sent again only when it changed', async () => {
    const etag = (await service.request(path, noToken)).headers.get('etag') ?? '';
    const revalidated = await service.request(path, { ...noToken, 'if-none-match': etag });
    expect(revalidated.status).toBe(304);
    expect(await revalidated.text()).toBe('');
    const other = await service.request(path, { ...noToken, 'if-none-match': '"other"' });
    expect(other.status).toBe(200);
  });

  test('HEAD and OPTIONS are answered, and nothing else', async () => {
    const head = await service.request(path, noToken, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe(TYPES[path] ?? '');
    expect(await head.text()).toBe('');
    expect((await service.request(path, noToken, 'OPTIONS')).status).toBe(204);
    expect((await service.request(path, noToken, 'POST')).status).toBe(405);
  });
});

test.each(['gzip', 'br', 'zstd'])(
  'script and style are sent in fewer bytes as %s',
  async (encoding) => {
    for (const path of paths.filter((each) => each !== '/')) {
      expect(await sizeOf(path, encoding)).toBeLessThan((await sizeOf(path, 'identity')) / 2);
    }
  },
);

describe('sources that cannot be bundled', () => {
  test('are told with the file and what is wrong in it', async () => {
    const folder = createTempFolder();
    writeFileSync(join(folder, 'main.tsx'), "import './gone.ts';\n");
    await expect(buildExplorerBundle(folder)).rejects.toThrow(
      /the explorer cannot be bundled: .*gone\.ts/s,
    );
    rmSync(folder, { recursive: true });
  });

  test('are a 500 that says nothing of it, with the cause in the log, and are tried again', async () => {
    const events: LogEvent[] = [];
    const store = await createStore();
    const reader = store.reader();
    const closed = {
      authenticate: () => undefined,
      reload: async () => {},
      flushLastUsed: async () => {},
    };
    const emit = (event: LogEvent) => events.push(event);
    const context = await createServerContext(reader, {
      tokens: closed,
      rateLimiter: () => null,
      failedAuthLimiter: createFailedAuthLimiter(),
      emit,
    });
    let tries = 0;
    const [, script] = createExplorerRoutes(async () => {
      if (++tries === 1) throw new Error('the explorer cannot be bundled: main.tsx is gone');
      return { 'main.js': 'let it = 1', 'main.css': '' };
    });
    const ask = () =>
      handleRequest(context, new Request('http://localhost/explorer/main.js'), script);
    const broken = await ask();
    expect(broken.status).toBe(500);
    expect(await broken.json()).toEqual({ status: 'error', message: 'internal_error' });
    const requestId = broken.headers.get('x-request-id');
    const cause = expect.stringContaining('the explorer cannot be bundled: main.tsx is gone');
    expect(events).toContainEqual({ event: 'request.failed', requestId: requestId ?? '', cause });
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect(tries).toBe(2);
    reader.close();
    await store.remove();
  });
});

async function sizeOf(path: string, encoding: string): Promise<number> {
  const headers = { 'accept-encoding': encoding };
  const response = await fetch(service.address + path, { headers, decompress: false });
  return (await response.arrayBuffer()).byteLength;
}
