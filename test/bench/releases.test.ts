import { expect, test } from 'bun:test';
import { Comparison } from '../../bench/releases/compare-responses.ts';
import { RequestGenerator } from '../../bench/releases/request-generator.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { buildOpenApiDocument } from '../../src/openapi/document.ts';
import { Random } from '../simulation/random.ts';

const REQUEST = { method: 'GET', target: '/', headers: {} };

async function compare(earlier: () => Response, later: () => Response): Promise<Comparison> {
  await using first = Bun.serve({ port: 0, fetch: earlier });
  await using second = Bun.serve({ port: 0, fetch: later });
  const comparison = new Comparison(first.url.origin, second.url.origin, ['server']);
  await comparison.compare(REQUEST, 1);
  return comparison;
}

test('releases differ by status, by header or by a byte of a body, and ETags are counted', async () => {
  const respond =
    (body: string, status = 200, headers = {}) =>
    () =>
      new Response(body, { status, headers });
  const same = await compare(
    respond('a', 200, { etag: '"1"' }),
    respond('a', 200, { etag: '"2"', 'x-request-id': 'x', server: 'ignored' }),
  );
  expect([same.differences, same.differing, same.requests]).toEqual([[], { etag: 1 }, 1]);
  const text = async (later: () => Response) =>
    (await compare(respond('a'), later)).differences.map((difference) => difference.text).join();
  expect(await text(respond('b'))).toContain('bodies differ at byte 0 of 1 and 1:\n- "a"\n+ "b"');
  expect(await text(respond('a', 404))).toContain('- 200\n+ 404');
  expect(await text(respond('a', 200, { link: '<x>' }))).toContain('+ link: <x>');
});

test('a failure of the earlier release is a difference, even if the later one fails alike', async () => {
  const fail = () => new Response('a', { status: 500 });
  expect((await compare(fail, fail)).differences).toHaveLength(1);
});

test('a seed draws the same requests each time, of every operation', () => {
  const document = JSON.parse(JSON.stringify(buildOpenApiDocument(catalogue, '1.2.3')));
  const content = {
    symbols: ['A', 'é'],
    fundIds: ['f'],
    instants: ['2026-01-01T00:00:00.000Z'],
    changedDatasets: ['quotes'],
  };
  const draw = (seed: number) => {
    const generator = new RequestGenerator(document, content, new Random(seed));
    return Array.from({ length: 6_000 }, () => generator.draw());
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  const targets = draw(1).map(({ target }) => target);
  expect(targets.filter((target) => target.includes('{'))).toEqual([]);
  for (const { paths } of catalogue)
    for (const path of paths) expect(targets.some((target) => target.startsWith(path))).toBe(true);
});
