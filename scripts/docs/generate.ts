import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { generateOperationsModule, OPERATIONS_PATH } from '../clients/python-operations.ts';
import { generateSyncModules } from '../clients/python-sync.ts';
import { generateRecordsModule, RECORDS_PATH } from '../clients/python-types.ts';
import { generateTypes, OUTPUT_PATH } from '../clients/typescript-types.ts';
import { commandsPage } from './commands-page.ts';
import { datasetsPage } from './datasets-page.ts';
import { httpPage } from './http-page.ts';
import { nonsensePage } from './nonsense-page.ts';
import { settingsPage } from './settings-page.ts';
import { warningsPage } from './warnings-page.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Every generated file, by its path in the repository. */
export async function generatedFiles(
  catalogue: readonly Dataset[],
): Promise<Readonly<Record<string, string>>> {
  const operations = { [OPERATIONS_PATH]: generateOperationsModule(catalogue) };
  return {
    'docs/reference/commands.md': await commandsPage(),
    'docs/reference/datasets.md': datasetsPage(catalogue),
    'docs/reference/http.md': httpPage(catalogue),
    'docs/reference/nonsense.md': nonsensePage(),
    'docs/reference/settings.md': settingsPage(),
    'docs/reference/warnings.md': warningsPage(),
    [OUTPUT_PATH]: generateTypes(catalogue),
    ...operations,
    ...generateSyncModules(ROOT, operations),
    [RECORDS_PATH]: generateRecordsModule(catalogue),
  };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await generatedFiles(catalogue))) {
    await Bun.write(join(ROOT, path), text);
  }
}
