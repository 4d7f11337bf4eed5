const CREDENTIAL = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;
const digest = (token: string) => Bun.SHA256.hash(token, 'hex');
const holders = new Map([[digest(process.env.TOKEN ?? ''), { id: 'bench' }]]);

/** Whether a request has the token in TOKEN, found out as our server does. */
export function isAuthorized(request: Request): boolean {
  const token = CREDENTIAL.exec(request.headers.get('authorization') ?? '')?.[1];
  return token !== undefined && holders.has(digest(token));
}
