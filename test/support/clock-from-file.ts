// Preloaded by a command: its clock shows the milliseconds in a file, and its timers are due soon.
import { readFileSync } from 'node:fs';
import { system } from '../../src/shared/system.ts';

const { setTimeout } = system;
system.now = () => Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8'));
system.setTimeout = (callback, delayMs) => setTimeout(callback, Math.min(delayMs, 10));
