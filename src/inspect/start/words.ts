/** Words that say nothing about which figure a column holds. */
const STOP_WORDS = new Set(
  'of the in and to by a an at or for per no nr number rs pkr usd eur inr brl million mn billion bn crore lakh thousand as on through account identifier 100'.split(
    ' ',
  ),
);

/** Spellings of one word, and the same word in other languages. */
const SYNONYMS: Readonly<Record<string, string>> = {
  offer: 'ask',
  asked: 'ask',
  brief: 'ask',
  geld: 'bid',
  ltp: 'last',
  close: 'last',
  closing: 'last',
  letzter: 'last',
  letzte: 'last',
  px: 'price',
  kurs: 'price',
  cours: 'price',
  preco: 'price',
  precio: 'price',
  vol: 'volume',
  qty: 'volume',
  quantity: 'volume',
  turnover: 'volume',
  umsatz: 'volume',
  rendite: 'yield',
  taxa: 'yield',
  rendement: 'yield',
  ytm: 'yield',
  datum: 'date',
  data: 'date',
  fecha: 'date',
  day: 'date',
  matures: 'maturity',
  redemption: 'maturity',
  vencimento: 'maturity',
  vencimiento: 'maturity',
  falligkeit: 'maturity',
  echeance: 'maturity',
  scadenza: 'maturity',
  kupon: 'coupon',
  cupom: 'coupon',
  withdrawl: 'withdrawal',
  wtl: 'withdrawal',
  govt: 'government',
  gov: 'government',
  fund: 'transfer',
  ibft: 'interbank',
};

/** The words of a name, without units, plurals, accents and letter case. */
export function splitWords(name: string): string[] {
  const plain = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\b(inter|intra|pre)[- ](?=[a-z])/g, '$1')
    .replaceAll('%', ' percent ');
  const words = plain.split(/[^a-z\d]+/).filter((word) => word !== '' && !STOP_WORDS.has(word));
  return [...new Set(words.map(toRoot))].filter((word) => !STOP_WORDS.has(word));
}

function toRoot(word: string): string {
  const singular = word.length > 3 ? word.replace(/(?<!s)s$/, '') : word;
  return SYNONYMS[word] ?? SYNONYMS[singular] ?? singular;
}

/** How alike two names are by their words, from 0 to 1. */
export function compareWords(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const shared = a.filter((word) => b.includes(word)).length;
  return (2 * shared) / (a.length + b.length);
}
