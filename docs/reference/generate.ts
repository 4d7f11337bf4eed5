import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENT_PATH, insertGeneratedTypes } from '../../clients/python/generate.ts';
import { generateTypes, OUTPUT_PATH } from '../../clients/typescript/generate/generate-types.ts';
import type { Dataset } from '../../src/catalogue/dataset.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { commandsPage } from './pages/commands.ts';
import { datasetsPage } from './pages/datasets.ts';
import { httpPage } from './pages/http.ts';
import { settingsPage } from './pages/settings.ts';
import { warningsPage } from './pages/warnings.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Every file that is made from what the program itself says, by its path in the repository. */
export function generatedFiles(catalogue: readonly Dataset[]): Readonly<Record<string, string>> {
  return {
    'docs/reference/commands.md': commandsPage(),
    'docs/reference/datasets.md': datasetsPage(catalogue),
    'docs/reference/http.md': httpPage(catalogue),
    'docs/reference/settings.md': settingsPage(),
    'docs/reference/warnings.md': warningsPage(),
    [OUTPUT_PATH]: generateTypes(catalogue),
    [CLIENT_PATH]: insertGeneratedTypes(readFileSync(join(ROOT, CLIENT_PATH), 'utf8'), catalogue),
  };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(generatedFiles(catalogue))) {
    await Bun.write(join(ROOT, path), text);
  }
}
