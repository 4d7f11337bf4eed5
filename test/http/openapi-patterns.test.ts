import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { acceptDatetime } from '../../src/catalogue/model/parameter.ts';
import { buildOpenApiDocument } from '../../src/openapi/document.ts';
import { PYTHON } from '../system/docs/example-workspace.ts';

const patterns = [...new Set(findPatterns(buildOpenApiDocument(catalogue, '1.2.3')))];

/** Every pattern of a document. */
function findPatterns(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { pattern } = part as { pattern?: unknown };
  const inner = Object.values(part).flatMap(findPatterns);
  return typeof pattern === 'string' ? [pattern, ...inner] : inner;
}

/** What a pattern has that JavaScript compiles, but not all of Python, Go (RE2) and Java do. */
function findUnportable(pattern: string): string[] {
  const groups = pattern.match(/\(\?(?!:).{0,2}/g) ?? [];
  const escapes = pattern.match(/\\[^.\-/\\]/g) ?? [];
  const counts = pattern.match(/\{[^}]*\}/g) ?? [];
  const classes = pattern.match(/\[\^?\]/g) ?? [];
  return [
    ...groups,
    ...escapes,
    ...classes,
    ...counts.filter((text) => !/^\{\d{1,3}(,\d{1,3})?\}$/.test(text)),
  ];
}

describe('the patterns of the OpenAPI document', () => {
  test.each(patterns)('%s is anchored and portable', (pattern) => {
    expect(findUnportable(pattern)).toEqual([]);
    expect(pattern).toMatch(/^\^.*\$$/);
    expect(() => new RegExp(pattern, 'u')).not.toThrow();
  });

  test.each([
    '(?<year>\\d{4})',
    '(?=a)',
    '(?!a)',
    '(?<!a)',
    '(?P<a>b)',
    '(a)\\1',
    '\\p{L}',
    'a{2000}',
    'a{2,}',
  ])('would be reported if one were %s', (pattern) => {
    expect(findUnportable(pattern)).not.toEqual([]);
  });

  test.skipIf(!Bun.which(PYTHON))('compile in Python', () => {
    const script = 'import json, re, sys\nfor p in json.load(sys.stdin): re.compile(p)';
    const stdin = Buffer.from(JSON.stringify(patterns));
    const { success, stderr } = Bun.spawnSync([PYTHON, '-c', script], { stdin, stderr: 'pipe' });
    expect([success, stderr.toString()]).toEqual([true, '']);
  });

  test.each([
    ['Sun, 15 Nov 2026 04:30:00 GMT', true],
    ['2026-11-15T04:30:00Z', true],
    ['2026-11-15T04:30:00.250+05:00', true],
    ['2026-11-15T04:30:00', false],
    ['2026-11-15', false],
    ['Sunday, 15-Nov-26 04:30:00 GMT', false],
    ['Sun, 15 Nov 2026 24:30:00 GMT', false],
    ['2026-11-15T04:30:00+24:00', false],
    ['0', false],
  ])('agree with the service on Accept-Datetime: %s', (text, isAccepted) => {
    expect(new RegExp(String(acceptDatetime.schema.pattern)).test(text)).toBe(isAccepted);
    expect(acceptDatetime.parse(text) !== undefined).toBe(isAccepted);
  });

  test('are those of periods, timestamps, Accept-Datetime, as_of, releases, declarations and links', () => {
    expect(patterns).toHaveLength(12);
  });
});
