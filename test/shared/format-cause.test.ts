import { expect, test } from 'bun:test';
import { formatCause } from '../../src/shared/format-cause.ts';

const withStack = (stack: string) => Object.assign(new TypeError('a wheel came off'), { stack });

test.each([
  [
    'has its message',
    'TypeError: a wheel came off\n    at drive',
    'TypeError: a wheel came off\n    at drive',
  ],
  [
    'has no message',
    'postMessage@[native code]',
    'TypeError: a wheel came off\npostMessage@[native code]',
  ],
  ['is empty', '', 'TypeError: a wheel came off'],
])('an error whose stack %s is logged with its message, once', (_, stack, text) => {
  expect(formatCause(withStack(stack))).toBe(text);
});

test('what cannot be sent to another thread is logged with the reason', () => {
  const clone = () => structuredClone(() => {});
  let cause: unknown;
  try {
    clone();
  } catch (error) {
    cause = error;
  }
  expect(formatCause(cause)).toContain('DataCloneError: ');
  expect(formatCause('a text')).toBe('a text');
});
