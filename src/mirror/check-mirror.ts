import { TenorError } from '../client/errors.ts';
import * as files from '../client/mirror/mirror-files.ts';
import { verifyMirror } from '../client/mirror/open-mirror.ts';
import { formatTilePath, TILE_STEPS } from '../ledger/read-leaves.ts';
import { VerificationError } from '../ledger/verification-error.ts';
import { openCheckpoint } from '../ledger/verify-log.ts';
import { TILE_WIDTH } from '../store/log-reader.ts';
import type { MirrorTarget } from './mirror-target.ts';

const MAX_FAULTS = 1_000;

/** Checks every file that manifests name, the log, the changes, and the records that they produce. */
export async function checkMirror(
  { read }: MirrorTarget,
  onProgress?: (text: string) => void,
): Promise<{ revision: number; files: number; faults: readonly string[] }> {
  const revision = await files.readLatest(read);
  const { since = 1 } = await files.readManifest(read, revision);
  const faults = new Set<string>();
  const checked = new Set<string>();
  const tiles = new Map<string, Buffer>();
  for (let number = since; number <= revision && faults.size < MAX_FAULTS; number++) {
    onProgress?.(`revision ${number} of ${revision}`);
    for (const [path, isIntact] of listRevisionFiles(number, tiles))
      await collectFaults(faults, async () => {
        const bytes = await (await files.openFile(read, path)).arrayBuffer();
        if (!(await isIntact(Buffer.from(bytes))))
          throw new TenorError('malformed', `${path} is damaged`, { url: path });
      });
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

type IsIntact = (bytes: Buffer) => boolean | Promise<boolean>;

/**
 * The files of a revision besides its manifest, and the ends of the log, each of which extends the previous
 * one.
 */
function listRevisionFiles(revision: number, tiles: Map<string, Buffer>): [string, IsIntact][] {
  const folder = `revisions/${revision}`;
  const index = Math.floor((revision - 1) / TILE_WIDTH);
  const width = revision - index * TILE_WIDTH;
  const createTileCheck = (kind: '0' | 'entries') => (bytes: Buffer) => {
    const { length = 0 } = (width > 1 && tiles.get(kind)) || {};
    const goesOn = length === 0 || tiles.get(kind)?.equals(bytes.subarray(0, length)) === true;
    if (goesOn) tiles.set(kind, bytes);
    return goesOn && bytes.length === width * TILE_STEPS[kind];
  };
  let key = '';
  return [
    [
      `${folder}/keys.json`,
      (bytes) => {
        key = parseJson(bytes)?.data?.key ?? '';
        return key !== '';
      },
    ],
    [
      `${folder}/checkpoint`,
      async (bytes) => (await openCheckpoint(String(bytes), key))?.size === revision || key === '',
    ],
    [`${folder}/datapackage.json`, (bytes) => parseJson(bytes) !== undefined],
    [formatTilePath('0', index, width), createTileCheck('0')],
    [formatTilePath('entries', index, width), createTileCheck('entries')],
  ];
}

function parseJson(bytes: Buffer): { readonly data?: { readonly key?: string } } | undefined {
  try {
    return Object(JSON.parse(String(bytes)));
  } catch {
    return undefined;
  }
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
