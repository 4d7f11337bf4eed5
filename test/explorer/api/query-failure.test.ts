import { expect, test } from 'bun:test';
import {
  describeFailure,
  isServiceDown,
  isTransient,
  type QueryFailure,
  toQueryFailure,
} from '../../../src/explorer/api/query-failure.ts';

const failure = (kind: QueryFailure['kind']): QueryFailure => ({
  kind,
  message: 'why',
  requestId: undefined,
});

test.each([
  ['network', true, true, 'The service does not respond.'],
  ['timeout', true, true, 'The service does not respond.'],
  ['temporarily_unavailable', true, true, 'The service does not respond.'],
  ['too_many_requests', true, false, 'Rate limit reached for this token.'],
  ['forbidden', false, false, 'The service says: why.'],
  ['broken', false, false, 'The service says: why.'],
] as const)('a failure of the kind %s passes: %p', (kind, passes, isDown, text) => {
  expect(isTransient(failure(kind))).toBe(passes);
  expect(isServiceDown(failure(kind))).toBe(isDown);
  expect(describeFailure(failure(kind))).toBe(text);
});

test('a cause that is no error of the client is a fault of the explorer', () => {
  expect(toQueryFailure(new Error('oops'))).toEqual({ ...failure('broken'), message: 'oops' });
  expect(toQueryFailure('oops')).toMatchObject({ kind: 'broken', message: 'oops' });
});
