import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseLinkHeader } from '../../clients/typescript/src/parse-link-header.ts';

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

  test('returns the links of any header', () => {
    const target = fc.webUrl({ withQueryParameters: true }).filter((url) => !/[<>]/.test(url));
    const relations = fc.array(fc.stringMatching(/^[a-z][a-z.-]{0,8}$/), { minLength: 1 });
    const title = fc.string();
    fc.assert(
      fc.property(fc.array(fc.tuple(target, relations, title)), (links) => {
        const header = links.map(
          ([url, rels, text]) =>
            `<${url}>; title="${text.replace(/["\\]/g, '\\$&')}"; rel="${rels.join(' ')}"`,
        );
        const expected = links.map(([url, rels]) => ({ target: url, relations: rels }));
        expect(parseLinkHeader(header.join(', '))).toEqual(expected);
      }),
    );
  });
});
