import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Why there can be no certificates; undefined where there can. */
export function explainMissingOpenssl(): string | undefined {
  return Bun.which('openssl') ? undefined : 'openssl is not installed';
}

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** Creates a CA in a folder, as `ca.pem`; returns what signs certificates of servers with it. */
export function createAuthority(folder: string) {
  const run = (...args: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args], { cwd: folder });
    if (exitCode !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = (name: string) => ['-subj', `/CN=${name}`];
  run('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', ...subject('Test CA'));
  /** For a host; it has expired where it is valid for -1 days. */
  return (host: string, days = 2): Certificate => {
    writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}`);
    run('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', ...subject(host));
    const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
    const output = ['-out', 'server.pem', '-days', String(days), '-extfile', 'names'];
    run('x509', '-req', '-in', 'server.csr', ...signer, ...output);
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { certificate: read('server.pem'), key: read('server.key') };
  };
}
