import { describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEvent } from '../../src/event-log.ts';
import { handleRequest } from '../../src/http/pipeline/handle-request.ts';
import { createDocsRoutes } from '../../src/http/static/docs/routes.ts';
import { buildExplorerBundle } from '../../src/http/static/explorer/bundle.ts';
import { createExplorerRoutes } from '../../src/http/static/explorer/routes.ts';
import { getRaw } from '../support/raw-http.ts';
import { createTestContext } from '../support/request-context.ts';
import { createStore, createTempFolder } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const docsPaths = createDocsRoutes().map(({ path }) => path);
const explorerPaths = createExplorerRoutes().map(({ path }) => path);
const service = useTestServer(createStore);
const noToken = { authorization: '' };

const getText = async (path: string) => (await service.request(path, noToken)).text();

describe.each(['/', '/docs'])('the page %s', (path) => {
  test('forbids everything inline, evaluated or from other hosts', async () => {
    const { headers } = await service.request(path, noToken);
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

  test('has nothing inline, and loads files of this server alone', async () => {
    const page = await getText(path);
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) =>
      address.replace(/^\/?/, '/'),
    );
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      const [name = ''] = address.split('?');
      expect([...docsPaths, ...explorerPaths, '/openapi.json']).toContain(name);
      expect((await service.request(address, noToken)).status).toBe(200);
    }
  });
});

test('the API reference leads back to the explorer', async () => {
  expect(await getText('/docs')).toContain('<a href="/">Explorer</a>');
});

test('scripts that share modules are served to pages of the same version alone', async () => {
  const [shared = ''] = /shared\.js\?v=\w+/.exec(await getText('/explorer/main.js')) ?? [];
  expect(await getText('/')).toContain(`href="explorer/${shared}"`);
  expect((await service.request(`/explorer/${shared}`, noToken)).status).toBe(200);
  for (const name of ['shared.js', 'other-views.js', 'write-workbook.js'])
    expect((await service.request(`/explorer/${name}?v=earlier1`, noToken)).status).toBe(404);
});

describe.each([...explorerPaths, ...docsPaths])('%s', (path) => {
  test('is public, with its content type and security headers', async () => {
    const response = await service.request(path, noToken);
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(100);
    expect(response.headers.get('content-type')).toBe(getContentType(path));
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-request-id')).not.toBeNull();
  });

  test('responds 304 to its ETag', async () => {
    const etag = (await service.request(path, noToken)).headers.get('etag') ?? '';
    const revalidated = await service.request(path, { ...noToken, 'if-none-match': etag });
    expect([revalidated.status, await revalidated.text()]).toEqual([304, '']);
    const other = await service.request(path, { ...noToken, 'if-none-match': '"other"' });
    expect(other.status).toBe(200);
  });

  test('responds to HEAD and OPTIONS, and 405 to POST', async () => {
    const head = await service.request(path, noToken, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe(getContentType(path));
    expect((await service.request(path, noToken, 'OPTIONS')).status).toBe(204);
    expect((await service.request(path, noToken, 'POST')).status).toBe(405);
  });
});

function getContentType(path: string): string {
  if (path.endsWith('.css')) return 'text/css; charset=utf-8';
  if (path.endsWith('.js')) return 'text/javascript; charset=utf-8';
  if (path.endsWith('.svg')) return 'image/svg+xml';
  if (path.endsWith('.txt')) return 'text/plain; charset=utf-8';
  return 'text/html; charset=utf-8';
}

test.each(['?', '?view=ledger&revision=14', '?view=%00', '?limit=0&limit=0&x=%zz'])(
  'the explorer is the same page with the query %s',
  async (query) => {
    const response = await service.request(`/${query}`, noToken);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(await getText('/'));
  },
);

test.each([
  '//',
  '/.',
  '/explorer',
  '/explorer/',
  '/explorer/main.tsx',
  '/index.html',
  '/docs/',
  '/Docs',
  '/docs/page.html',
  '/docs/../package.json',
])('%s responds 404', async (path) => {
  expect((await getRaw(service.address, path)).status).toBe(404);
});

test('the explorer loads less than 250 KB, compressed', async () => {
  const sizes = await Promise.all(
    [...explorerPaths, '/docs/icon.svg'].map((path) => getSize(path, 'gzip')),
  );
  expect(sizes.every((size) => size > 100)).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(250_000);
});

test.each(['gzip', 'br', 'zstd'])('scripts and styles are compressed with %s', async (encoding) => {
  for (const path of ['/explorer/main.js', '/explorer/main.css', '/docs/swagger-ui-bundle.js']) {
    expect(await getSize(path, encoding)).toBeLessThan((await getSize(path, 'identity')) / 2);
  }
});

async function getSize(path: string, encoding: string): Promise<number> {
  const headers = { 'accept-encoding': encoding };
  const response = await fetch(service.address + path, { headers, decompress: false });
  return (await response.arrayBuffer()).byteLength;
}

test('installing Swagger UI sends no telemetry: its install script is disabled', () => {
  const file = join(import.meta.dirname, '../../package.json');
  const { allowScripts, scarfSettings } = JSON.parse(readFileSync(file, 'utf8'));
  expect(allowScripts['@scarf/scarf']).toBe(false);
  expect(scarfSettings.enabled).toBe(false);
});

describe('explorer sources that cannot be bundled', () => {
  test('are reported with the file and the problem', async () => {
    const folder = createTempFolder();
    writeFileSync(join(folder, 'main.tsx'), "import './gone.ts';\n");
    await expect(buildExplorerBundle(folder)).rejects.toThrow(
      /the explorer cannot be bundled: .*gone\.ts/s,
    );
    rmSync(folder, { recursive: true });
  });

  test('cause a 500 and a log event with the cause, and the next request tries again', async () => {
    const events: LogEvent[] = [];
    await using store = await createStore();
    const reader = store.reader();
    const context = await createTestContext(reader, { emit: (event) => events.push(event) });
    let tries = 0;
    const [, script] = createExplorerRoutes(async () => {
      if (++tries === 1) throw new Error('the explorer cannot be bundled: main.tsx is gone');
      const other = {
        'shared.js': '',
        'other-views.js': '',
        'write-workbook.js': '',
        'embed.js': '',
        'main.css': '',
      };
      return { 'main.js': 'let it = 1', ...other };
    });
    const request = () =>
      handleRequest(context, new Request('http://localhost/explorer/main.js'), script);
    const failed = await request();
    expect(failed.status).toBe(500);
    expect(await failed.json()).toEqual({ status: 'error', message: 'internal_error' });
    const requestId = failed.headers.get('x-request-id') ?? '';
    const cause = expect.stringContaining('the explorer cannot be bundled: main.tsx is gone');
    expect(events).toContainEqual({ event: 'request.failed', requestId, cause });
    expect((await request()).status).toBe(200);
    expect((await request()).status).toBe(200);
    expect(tries).toBe(2);
    reader.close();
  });
});
