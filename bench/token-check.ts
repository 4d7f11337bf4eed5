const CREDENTIAL_PATTERN = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;
const hashToken = (token: string) => Bun.SHA256.hash(token, 'hex');
const principals = new Map([[hashToken(process.env.TOKEN ?? ''), { id: 'bench' }]]);

/** Whether a request has the token in TOKEN, checked as Tenor does. */
export function isAuthorized(request: Request): boolean {
  const token = CREDENTIAL_PATTERN.exec(request.headers.get('authorization') ?? '')?.[1];
  return token !== undefined && principals.has(hashToken(token));
}
