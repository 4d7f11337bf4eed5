import { describe, expect, test } from 'bun:test';
import { parseLinkHeader } from '../../src/client/parse-link-header.ts';

describe('parseLinkHeader', () => {
  test.each([
    ['', ''],
    [' , ,', ''],
    ['</a>; rel="next"', '/a next'],
    ['</a>; rel=next', '/a next'],
    ['</a>;rel="NEXT"', '/a next'],
    ['</a> ; REL = "next"', '/a next'],
    ['<?a=1,2;3>; rel="next"', '?a=1,2;3 next'],
    ['</a>; title="x, <y>; rel=\\"prev\\""; rel="next"', '/a next'],
    ['</a>; rel="prev"; rel="next"', '/a prev'],
    ['</a>; rel="original timegate"', '/a original timegate'],
    ['</a>; rel="first", </b>; rel="next"', '/a first | /b next'],
    ['</a>; rel="first",,</b>;;rel="next";', '/a first | /b next'],
    ['</a>; rel="next"; anchor="/other", </b>; crossorigin', '/b'],
    ["</a>; title*=UTF-8''x%20y; rel=next", '/a next'],
    ['<>; rel="self"', ' self'],
  ])('parses %j as %j', (header, expected) => {
    const links = parseLinkHeader(header);
    expect(links?.map((link) => [link.target, ...link.relations].join(' ')).join(' | ')).toBe(
      expected,
    );
  });

  test.each([
    '/a; rel="next"',
    '</a; rel="next"',
    '</a>; rel="next',
    '</a> rel="next"',
    '</a></b>',
  ])('rejects %j', (header) => expect(parseLinkHeader(header)).toBeUndefined());
});
