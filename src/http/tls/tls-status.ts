import type { EmitEvent } from '../../event-log.ts';
import { InvalidSettingError, type Settings } from '../../settings.ts';
import { type Certificate, type CertificateFiles, readCertificate } from './certificate.ts';
import { startCertificateReload } from './start-certificate-reload.ts';

type TlsSettings = Pick<Settings, 'tlsCert' | 'tlsKey'>;

/** The certificate in use, which may be replaced. */
export class Tls {
  /** The one to start with. */
  readonly certificate: Certificate;
  expiresAt: Date;

  constructor(private readonly files: CertificateFiles) {
    this.certificate = readCertificate(files);
    this.expiresAt = this.certificate.expiresAt;
  }

  /** Calls `replace` when the files have another certificate. Returns what stops it. */
  follow(emit: EmitEvent, replace: (certificate: Certificate) => void): () => void {
    const onChange = (next: Certificate) => {
      replace(next);
      this.expiresAt = next.expiresAt;
    };
    return startCertificateReload({
      files: this.files,
      certificate: this.certificate,
      emit,
      onChange,
    });
  }
}

/** The certificate of the settings; undefined where connections are not to be encrypted. */
export function openTls(settings: TlsSettings): Tls | undefined {
  const files = getCertificateFiles(settings);
  return files && new Tls(files);
}

/** The files of the certificate and its key; undefined where none are set. */
export function getCertificateFiles(settings: TlsSettings): CertificateFiles | undefined {
  const { tlsCert, tlsKey } = settings;
  if (tlsCert === '' && tlsKey === '') return undefined;
  if (tlsCert === '' || tlsKey === '') {
    const missing = tlsCert === '' ? 'TLS_CERT' : 'TLS_KEY';
    throw new InvalidSettingError(
      `${missing} must be set too: TLS_CERT and TLS_KEY belong together`,
    );
  }
  return { cert: tlsCert, key: tlsKey };
}
