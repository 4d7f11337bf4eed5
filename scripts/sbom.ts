import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/**
 * The parts of the service, in CycloneDX, by the lock file: the runtime dependencies, and Bun's
 * binary packages for all systems. The same lock file gives the same text.
 */
export async function createSbom(): Promise<string> {
  const sbom = JSON.parse(runNpmSbom());
  // npm takes the name of the folder for that of the package.
  sbom.metadata.component.name = (await Bun.file(join(ROOT, 'package.json')).json()).name;
  delete sbom.metadata.timestamp;
  sbom.serialNumber = '';
  sbom.serialNumber = `urn:uuid:${toUuid(JSON.stringify(sbom))}`;
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/**
 * The lock file alone is read: what is installed depends on the machine. `npm sbom --omit=dev` leaves
 * out what a development dependency needs too, so it gets a copy without development dependencies.
 */
function runNpmSbom(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-sbom-'));
  try {
    for (const file of ['package.json', 'package-lock.json']) {
      const content = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
      writeFileSync(join(folder, file), JSON.stringify(removeDevelopment(content)));
    }
    const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
    const { success, stdout, stderr } = Bun.spawnSync(['npm', 'sbom', ...options], { cwd: folder });
    if (!success) throw new Error(`npm sbom failed: ${stderr}`);
    return stdout.toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface PackageFile {
  readonly devDependencies?: object;
  readonly dev?: boolean;
  /** In a lock file: the root by an empty path, and each package by its own. */
  readonly packages?: Readonly<Record<string, PackageFile>>;
}

function removeDevelopment({ devDependencies: _, packages, ...content }: PackageFile): object {
  if (!packages) return content;
  const runtime = Object.entries(packages).filter(([, { dev }]) => !dev);
  return {
    ...content,
    packages: Object.fromEntries(runtime.map(([path, entry]) => [path, removeDevelopment(entry)])),
  };
}

/** A UUID of version 8 (RFC 9562), which is made from a hash. */
function toUuid(content: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`];
  return [...parts, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-');
}

if (import.meta.main) {
  const path = join(ROOT, 'sbom.json');
  await Bun.write(path, await createSbom());
  console.log(`Wrote ${path}`);
}
