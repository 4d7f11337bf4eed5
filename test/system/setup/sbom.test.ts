import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSbom } from '../../../scripts/sbom.ts';

setDefaultTimeout(120_000);

const ROOT = join(import.meta.dirname, '../../..');
const readJson = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

interface LockedPackage {
  readonly version: string;
  readonly license: string;
  readonly integrity: string;
  readonly dev?: true;
}

/** The runtime packages of the lock file, by name. */
function listRuntimePackages(): [name: string, LockedPackage][] {
  const packages = Object.entries<LockedPackage>(readJson('package-lock.json').packages);
  return packages
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, locked]) => [path.slice(path.lastIndexOf('node_modules/') + 13), locked]);
}

describe('the SBOM', () => {
  let text: string;
  beforeAll(async () => {
    text = await createSbom();
  });

  test('lists every runtime package of the lock file with its licence and hash, and no other', () => {
    const { components } = JSON.parse(text);
    const listed = components.map(({ name, version, purl, licenses, hashes }: Component) => {
      return { name, version, purl, license: licenses[0]?.license.id, hashes };
    });
    const expected = listRuntimePackages().map(([name, { version, license, integrity }]) => ({
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      license,
      hashes: [{ alg: 'SHA-512', content: toHex(integrity) }],
    }));
    expect(expected.map(({ name }) => name)).toContain('bun');
    expect(listed.toSorted(byName)).toEqual(expected.toSorted(byName));
  });

  test('describes the service itself as a CycloneDX application', () => {
    const { name, version } = readJson('package.json');
    const sbom = JSON.parse(text);
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: expect.stringMatching(/^1\.\d$/),
      serialNumber: expect.stringMatching(
        /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      metadata: {
        component: { type: 'application', name, version, purl: `pkg:npm/${name}@${version}` },
      },
    });
    const { dependsOn } = sbom.dependencies.find(
      ({ ref }: { ref: string }) => ref === `${name}@${version}`,
    );
    const { dependencies } = readJson('package.json');
    expect(dependsOn).toEqual(
      Object.entries(dependencies).map(([key, value]) => `${key}@${value}`),
    );
  });

  test('is the same each time, and says nothing about the machine', async () => {
    expect(await createSbom()).toBe(text);
    expect(text).not.toContain(ROOT);
    expect(text).not.toMatch(/timestamp|localhost|127\.0\.0\.1/);
  });
});

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly license: { readonly id: string } }[];
  readonly hashes: unknown;
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function toHex(integrity: string): string {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
}
