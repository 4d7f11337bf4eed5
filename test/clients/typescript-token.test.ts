import { describe, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { Tenor } from '../../clients/typescript/src/index.ts';
import { SERIES } from '../../src/client/generated.ts';
import {
  catchError,
  errorResponse,
  ok,
  SECRET,
  startScriptedServer,
} from './typescript-support.ts';

describe('the token', () => {
  test('is not sent to the target of a redirect', async () => {
    await using otherServer = startScriptedServer(ok());
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { Location: `${otherServer.address}/2.0/bnb/quote` };
      await using server = startScriptedServer(() => new Response(null, { status, headers }));
      const error = await catchError(server.client().quotes());
      expect(error).toMatchObject({ kind: 'redirected', status });
      expect(server.requests.length).toBe(1);
      await using inside = startScriptedServer(() => Response.redirect('/elsewhere', status));
      expect(await catchError(inside.client().quotes())).toMatchObject({ kind: 'redirected' });
    }
    expect(otherServer.requests).toEqual([]);
  });

  test('is not sent to a next page on another host', async () => {
    await using otherServer = startScriptedServer(ok());
    const { host } = new URL(otherServer.address);
    for (const target of [
      otherServer.address,
      `//${host}/x`,
      otherServer.address.replace('http', 'https'),
    ]) {
      await using server = startScriptedServer(ok([1], { Link: `<${target}>; rel="next"` }));
      const error = await catchError(server.client().quotes.all().toArray());
      expect(error).toMatchObject({ kind: 'malformed' });
      expect(error.message).toContain('another host');
      expect((await server.client().quotes()).meta.next).toStartWith('http');
    }
    expect(otherServer.requests).toEqual([]);
  });

  test('is neither in errors nor in the printed client', async () => {
    await using server = startScriptedServer(
      errorResponse(400, `got ${SECRET}`),
      errorResponse(200, `got ${SECRET}`),
      () => new Response(`Bearer ${SECRET}`, { status: 500 }),
    );
    const client = server.client({ tries: 1 });
    const errors = [
      await catchError(client.quotes()),
      await catchError(client.quotes()),
      await catchError(client.quotes()),
    ];
    expect(errors[0]?.message).toBe('got [token]');
    for (const value of [...errors, client, client.asOf('2026-07-01'), client.quotes.all()]) {
      expect(inspect(value, { depth: 9, showHidden: true })).not.toContain(SECRET);
      expect(Bun.inspect(value, { depth: 9 })).not.toContain(SECRET);
      expect(JSON.stringify(value)).not.toContain(SECRET);
    }
    expect(server.requests[0]?.headers.get('authorization')).toBe(`Bearer ${SECRET}`);
  });

  test('is not redacted in data', async () => {
    await using server = startScriptedServer(ok([{ symbol: 'ZZ' }]));
    expect((await server.client({ token: 'ZZ' }).quotes()).data).toMatchObject([{ symbol: 'ZZ' }]);
  });
});

describe('options', () => {
  const baseUrl = 'http://127.0.0.1:8080';

  test.each([
    ['baseUrl', { baseUrl: 'ftp://example.org', token: 't' }],
    ['baseUrl', { baseUrl: '127.0.0.1:8080', token: 't' }],
    ['baseUrl', { baseUrl: 'http://user:word@example.org', token: 't' }],
    ['baseUrl', { baseUrl: 'http://example.org/?x=1', token: 't' }],
    ['token', { baseUrl, token: '' }],
    ['token', { baseUrl, token: 'two words' }],
    ['token', { baseUrl, token: 'line\nbreak' }],
    ['timeoutMs', { baseUrl, token: 't', timeoutMs: 0 }],
    ['tries', { baseUrl, token: 't', tries: Number.NaN }],
  ])('with an invalid %s are rejected without showing the token', (name, options) => {
    const create = () => new Tenor(options);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(name);
    expect(create).not.toThrow(/two words|line\nbreak|user:word/);
  });

  test('with unknown names are rejected with a list of the known ones', async () => {
    await using server = startScriptedServer(ok());
    const client = server.client();
    const series = await catchError(client.series('none' as 'payments-market-players'));
    expect(series).toBeInstanceOf(TypeError);
    expect(series.message).toBe(`there is no "none"; there are ${SERIES.join(', ')}`);
    const table = await catchError(client.download('events' as 'funds', 'csv'));
    expect(table.message).toStartWith('there is no "events"; there are quotes, ');
    expect(table.message).not.toContain('revision');
    const format = await catchError(client.download('quotes', 'pdf' as 'csv'));
    expect(format.message).toContain('there are csv, ');
    expect(server.requests).toEqual([]);
  });
});
