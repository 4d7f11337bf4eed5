import type { EmitEvent } from '../../event-log.ts';
import { getCertificateFiles, type Settings } from '../../settings.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { followCertificate } from './follow-certificate.ts';

/** The certificate in use. */
export interface TlsStatus {
  readonly expiresAt: Date;
}

interface Tls extends TlsStatus {
  /** The one to start with. */
  readonly certificate: Certificate;
  /** Calls `replace` when the files have another certificate. Returns what stops it. */
  follow(emit: EmitEvent, replace: (certificate: Certificate) => void): () => void;
}

/** The certificate of the settings; undefined where connections are not to be encrypted. */
export function openTls(settings: Pick<Settings, 'tlsCert' | 'tlsKey'>): Tls | undefined {
  const files = getCertificateFiles(settings);
  if (!files) return undefined;
  const certificate = readCertificate(files);
  let { expiresAt } = certificate;
  return {
    certificate,
    get expiresAt() {
      return expiresAt;
    },
    follow: (emit, replace) =>
      followCertificate({
        files,
        certificate,
        emit,
        onChange(next) {
          replace(next);
          ({ expiresAt } = next);
        },
      }),
  };
}
