import { expect, test } from 'bun:test';
import { parameter } from '../../src/catalogue/model/parameter.ts';
import { HttpError } from '../../src/http/http-error.ts';
import { parseDataQuery, parseQuery, splitQuery } from '../../src/http/request/parse-query.ts';

const parameters = { code: parameter.text('A parameter named like a property of errors', '5') };

test('values of a parameter named code are not taken for an error', () => {
  expect(parseQuery(splitQuery('code=5'), parameters)).toEqual({ code: '5' });
  expect(parseQuery(splitQuery('code=5'), parameters)).not.toBeInstanceOf(HttpError);
  expect(parseDataQuery(splitQuery('code=5'), parameters)).toEqual({
    format: 'json',
    filters: { code: '5' },
  });
});

test('an error has the status and message of its code, and hides a long parameter from the log', () => {
  const details = { parameter: 'a-secret-that-is-long', allowed: 'none' };
  const error = new HttpError('unknown_parameter', details);
  expect(error.status).toBe(400);
  expect(error.message).toContain(details.parameter);
  expect(error.reason).not.toContain(details.parameter);
});
