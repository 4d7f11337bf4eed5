import { expect, test } from 'bun:test';
import { PhaseTimer } from '../../src/http/request/phase-timer.ts';

test('the time of a request is that of its phases, without those that took none', () => {
  const timer = new PhaseTimer(100);
  timer.enter('queue', 110);
  timer.enter('read', 150);
  timer.move(30, 'read', 'encode');
  timer.enter('compress', 200.4);
  timer.enter('send', 200.6);
  expect(timer.getDurations(300)).toEqual({ readMs: 30, queueMs: 40, encodeMs: 30, sendMs: 99 });
});

test('a phase that is entered twice has the time of both', () => {
  const timer = new PhaseTimer(0);
  timer.enter('queue', 10);
  timer.enter('read', 20);
  timer.enter('queue', 25);
  expect(timer.getDurations(40)).toEqual({ readMs: 15, queueMs: 25 });
});
