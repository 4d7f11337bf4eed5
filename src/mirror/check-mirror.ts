import { TenorError } from '../../clients/typescript/src/errors.ts';
import { VerificationError } from '../../clients/typescript/src/ledger/verification-error.ts';
import * as files from '../../clients/typescript/src/mirror/mirror-files.ts';
import { verifyMirror } from '../../clients/typescript/src/mirror/open-mirror.ts';
import type { MirrorTarget } from './mirror-target.ts';

/** Files next to the manifest of every revision. */
const REVISION_FILES = ['checkpoint', 'keys.json', 'datapackage.json'];

/** Checks every file that manifests name, and the log, the changes, and the records that they make. */
export async function checkMirror(
  { read, has }: MirrorTarget,
  onProgress?: (text: string) => void,
): Promise<{ revision: number; files: number; faults: readonly string[] }> {
  const revision = await files.readLatest(read);
  const { since = 1 } = await files.readManifest(read, revision);
  const faults = new Set<string>();
  const checked = new Set<string>();
  for (let number = since; number <= revision; number++) {
    onProgress?.(`revision ${number} of ${revision}`);
    for (const path of REVISION_FILES.map((name) => `revisions/${number}/${name}`))
      if (!(await has(path))) faults.add(`the mirror has no ${path}`);
    await collectFaults(faults, async () => {
      const { datasets } = await files.readManifest(read, number);
      for (const [name, { files: paths }] of Object.entries(datasets))
        for (const path of paths.filter((each) => !checked.has(each))) {
          checked.add(path);
          await collectFaults(faults, () => files.readDataFile(read, path, name));
        }
    });
  }
  await collectFaults(faults, () => verifyMirror(read));
  return { revision, files: checked.size, faults: [...faults] };
}

async function collectFaults(faults: Set<string>, check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (cause) {
    if (!(cause instanceof VerificationError || cause instanceof TenorError)) throw cause;
    const problems = cause instanceof VerificationError ? cause.problems : [cause];
    for (const { message } of problems) faults.add(message);
  }
}
