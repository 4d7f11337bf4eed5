const MASK = '***';

/** Parameters whose values are secret: positions, and all names that programs give to credentials. */
const SECRET_NAME =
  /^(?:positions|signature)$|token|secret|passw|credential|authorization|api[_-]?key/i;

/** Secret wherever it stands: tokens and links of Tenor, those that are signed, and JWTs. */
const SECRET_TEXT =
  /tenor_[\w-]{16,}|signed\.[\w.-]{16,}|(?<![\w-])eyJ[\w.-]{16,}|(?<=\/links\/)(?!sign\b|\*)[^/?#&\s]+/g;

/** A pair of a query. */
const PAIR = /(^|[?&#])([^?&#=]*)=([^&]*)/g;
/** A pair of whatever notation, such as JSON, whose value is not masked. */
const CLEAR_PAIR = /(?<![\w-])([\w-]+)["']?\s*[=:]\s*(?!\*\*\*)[^\s&]/g;

/** Nearly all values, and too short to be any of these. */
const SHORT_WORD = /^[\w.,-]{0,15}$/;

/** Addresses within addresses, and encodings of encodings, that are followed. */
const MAX_DEPTH = 5;

/** A shorter credential, which only a local server may have, is found in many texts. */
const MIN_CREDENTIAL_LENGTH = 8;

/** The value of a parameter as a log may have it: masked, or if it is an address, inside. */
export function maskValue(name: string, value: string, credential = ''): string {
  if (SECRET_NAME.test(name)) return MASK;
  const hasCredential =
    credential.length >= MIN_CREDENTIAL_LENGTH && decodeFully(value).includes(credential);
  return hasCredential ? MASK : maskText(value);
}

/** A text without the secrets in it; none of it, if they cannot be told from the rest. */
export function maskText(text: string): string {
  if (SHORT_WORD.test(text)) return text;
  const masked = maskInside(text, 0);
  const decoded = decodeFully(masked);
  const isClear = ([, name = '']: RegExpMatchArray) => SECRET_NAME.test(name);
  const hasSecret = decoded.search(SECRET_TEXT) >= 0 || decoded.matchAll(CLEAR_PAIR).some(isClear);
  return hasSecret ? MASK : masked;
}

function maskInside(text: string, depth: number): string {
  if (depth > MAX_DEPTH) return MASK;
  const maskPair = (_: string, start: string, name: string, value: string) => {
    const isSecret = SECRET_NAME.test(decode(name));
    return `${start}${name}=${isSecret ? MASK : maskInside(value, depth + 1)}`;
  };
  const masked = text.replace(PAIR, maskPair).replace(SECRET_TEXT, MASK);
  const decoded = decode(text);
  if (masked !== text || decoded === text) return masked;
  // An address as the value of a parameter is percent-encoded, and one within that address twice.
  const inner = maskInside(decoded, depth + 1);
  if (inner === decoded) return text;
  // If only a part was encoded, the end of the secret is unknown.
  return /[/?&#=]/.test(text) ? MASK : encodeURIComponent(inner);
}

function decodeFully(text: string): string {
  let decoded = text;
  for (let depth = 0; depth <= MAX_DEPTH && decoded.includes('%'); depth++)
    decoded = decode(decoded);
  return decoded;
}

/** Also of a text that is no valid encoding. */
function decode(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
  );
}
