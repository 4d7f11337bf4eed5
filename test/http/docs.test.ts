import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDocsRoutes } from '../../src/http/static/docs/routes.ts';
import { createStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const paths = createDocsRoutes().map(({ path }) => path);

const service = useTestServer(createStore);

const noToken = { authorization: '' };

describe('/docs', () => {
  test('is a page that is open to all, and lets in nothing from elsewhere', async () => {
    const response = await service.request('/docs', noToken);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self'; ");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('http');
    for (const rule of ['base-uri', 'frame-ancestors', 'form-action']) {
      expect(policy).toContain(`${rule} 'none'`);
    }
  });

  test('names no address but its own files and the OpenAPI document', async () => {
    const page = await (await service.request('/docs', noToken)).text();
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(
      ([, address]) => address ?? '',
    );
    expect(addresses.length).toBeGreaterThan(5);
    for (const address of addresses) expect([...paths, '/openapi.json']).toContain(address);
  });

  test('has nothing inline, which its policy would forbid', async () => {
    const page = await (await service.request('/docs', noToken)).text();
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  });

  test('is found under no other name', async () => {
    for (const path of ['/docs/', '/Docs', '/docs/page.html', '/docs/../package.json']) {
      expect((await service.request(path, noToken)).status).toBe(404);
    }
  });
});

describe.each(paths)('%s', (path) => {
  test('says what it is, and is to be taken for nothing else', async () => {
    const response = await service.request(path, noToken);
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(100);
    expect(response.headers.get('content-type')).toMatch(typeOf(path));
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-request-id')).not.toBeNull();
  });

  test('is sent again only when it changed', async () => {
    const etag = (await service.request(path, noToken)).headers.get('etag') ?? '';
    const revalidated = await service.request(path, { ...noToken, 'if-none-match': etag });
    expect(revalidated.status).toBe(304);
    const other = await service.request(path, { ...noToken, 'if-none-match': '"other"' });
    expect(other.status).toBe(200);
  });

  test('HEAD and OPTIONS are answered, and nothing else', async () => {
    expect((await service.request(path, noToken, 'HEAD')).status).toBe(200);
    expect((await service.request(path, noToken, 'OPTIONS')).status).toBe(204);
    expect((await service.request(path, noToken, 'POST')).status).toBe(405);
  });
});

test('the library is sent in fewer bytes where that is welcome', async () => {
  const path = '/docs/swagger-ui-bundle.js';
  const sizeOf = async (encoding: string) => {
    const response = await fetch(service.address + path, {
      headers: { 'accept-encoding': encoding },
      decompress: false,
    });
    return (await response.arrayBuffer()).byteLength;
  };
  expect(await sizeOf('gzip')).toBeLessThan((await sizeOf('identity')) / 3);
});

test('installing the library tells nobody: its install script is refused, and switched off', () => {
  const file = join(import.meta.dirname, '../../package.json');
  const { allowScripts, scarfSettings } = JSON.parse(readFileSync(file, 'utf8'));
  expect(allowScripts['@scarf/scarf']).toBe(false);
  expect(scarfSettings.enabled).toBe(false);
});

function typeOf(path: string): RegExp {
  if (path.endsWith('.css')) return /^text\/css; charset=utf-8$/;
  if (path.endsWith('.js')) return /^text\/javascript; charset=utf-8$/;
  if (path.endsWith('.svg')) return /^image\/svg\+xml$/;
  if (path.endsWith('.txt')) return /^text\/plain; charset=utf-8$/;
  return /^text\/html; charset=utf-8$/;
}
