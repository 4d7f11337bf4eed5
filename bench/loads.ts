import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatDay, isWeekend, parseDay } from '../src/shared/calendar.ts';
import { writeQuotesFile } from './generate-quotes-file.ts';
import { days, FOLDER } from './million-quotes.ts';
import { type CommandUsage, ROOT, runCommand } from './server-processes.ts';

export const CORRECTIONS = 50_000;
const CORRECTED_DAYS = 100;

/** Loads a file of quotes with the command of this tree or of another one. */
export function loadQuotes(
  databaseUrl: string,
  file: string,
  root: string = ROOT,
  options: readonly string[] = [],
): Promise<CommandUsage> {
  const command = [join(root, 'bin/tenor'), 'load', '--create', 'quotes', file, ...options];
  return runCommand(command, { DATABASE_URL: databaseUrl });
}

/** Loads a file of corrections, with the option that allows many where a tree limits them. */
export function loadCorrections(
  databaseUrl: string,
  file: string,
  root: string = ROOT,
): Promise<CommandUsage> {
  const { stdout } = Bun.spawnSync([join(root, 'bin/tenor'), 'load', '--help']);
  const isGuarded = stdout.toString().includes('--correct-many');
  return loadQuotes(databaseUrl, file, root, isGuarded ? ['--correct-many'] : []);
}

/** The seconds that the command takes to do nothing. */
export async function measureCommandStart(root: string = ROOT): Promise<number> {
  return (await runCommand([join(root, 'bin/tenor'), 'load', '--help'])).seconds;
}

/** Writes the 500 quotes of a weekday after those of the large file, and returns the path. */
export async function writeNextDayFile(index: number): Promise<string> {
  const path = join(FOLDER, 'day.csv');
  await writeQuotesFile(path, [listWeekdaysAfter(days.at(-1) ?? '', index + 1).at(-1) ?? '']);
  return path;
}

/** Writes corrections of quotes of the large file, other ones for each index. */
export async function writeCorrectionsFile(index: number): Promise<string> {
  const path = join(FOLDER, 'corrections.csv');
  const step = days.length / CORRECTED_DAYS;
  const correctedDays = days.filter((_, day) => day % step === index % step);
  await writeQuotesFile(path, correctedDays, (quote) => ({ ...quote, volume: index + 1 }));
  return path;
}

/** Removes a SQLite database with the files and folders beside it. */
export function removeDatabase(database: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal', '.private', '.cache']) {
    rmSync(`${database}${suffix}`, { recursive: true, force: true });
  }
}

function listWeekdaysAfter(last: string, count: number): string[] {
  const weekdays: string[] = [];
  for (let day = parseDay(last) + 1; weekdays.length < count; day++) {
    if (!isWeekend(day)) weekdays.push(formatDay(day));
  }
  return weekdays;
}
