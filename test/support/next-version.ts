import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND, ROOT } from './run-tenor.ts';

const MIGRATION = `{
  statements: (() => {
    const statements = [
      'ALTER TABLE revisions ADD COLUMN note TEXT',
      "INSERT INTO secrets SELECT 'copy', value FROM secrets WHERE name = 'cursor'",
    ];
    return { sqlite: statements, postgres: statements };
  })(),
  remadeViews: ['securities'],
}`;
const DECLARATION = 'export const MIGRATIONS: readonly Migration[] = [';

/**
 * Copies the program into a new folder, with a migration that only tests have; returns the command
 * that runs it. Its threads and processes have the migration as well.
 */
export function createNextVersion(folder: string): string[] {
  const copy = join(folder, 'next-version');
  cpSync(join(ROOT, 'src'), join(copy, 'src'), { recursive: true });
  for (const name of ['clients', 'examples', 'node_modules', 'package.json', 'tsconfig.json'])
    symlinkSync(join(ROOT, name), join(copy, name));
  const file = join(copy, 'src/store/sql/migrations.ts');
  const [before, after] = readFileSync(file, 'utf8').split(DECLARATION);
  if (after === undefined) throw new Error('there is no list of migrations');
  writeFileSync(
    file,
    `${before}${DECLARATION}${after.replace(/\n?\]/, () => `\n${MIGRATION},\n]`)}`,
  );
  return COMMAND.map((part) => part.replace(join(ROOT, 'src'), join(copy, 'src')));
}
