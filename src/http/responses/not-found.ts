import { createBaseHeaders } from './cors.ts';
import { type HttpResponse, NOT_FOUND_RESPONSE } from './response.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Not found · Tenor</title>
    <link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/docs/docs.css">
  </head>
  <body>
    <header><h1>Tenor</h1></header>
    <main role="status">
      <h2>There is no such page</h2>
      <p>Look at the <a href="/">explorer</a>, or at the <a href="/docs">API reference</a>.</p>
    </main>
  </body>
</html>
`;

const PAGE_RESPONSE: HttpResponse = {
  ...NOT_FOUND_RESPONSE,
  body: new Blob([PAGE]),
  headers: createBaseHeaders({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
  }),
};

/** The response to an unknown path: a page for browsers, which name that type first. */
export function notFoundResponse(headers: Headers): HttpResponse {
  return /^\s*text\/html\b/i.test(headers.get('accept') ?? '') ? PAGE_RESPONSE : NOT_FOUND_RESPONSE;
}
