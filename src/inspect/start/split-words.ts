/** Words that say nothing about which figure a column holds. */
const STOP_WORDS = new Set(
  'of the in and to by a an at or for per no nr number rs pkr usd eur inr brl million mn billion bn crore lakh thousand as on through account identifier 100'.split(
    ' ',
  ),
);

/** Spellings of one word, and the same word in other languages. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ask: 'offer asked brief',
  bid: 'geld',
  last: 'ltp close closing letzter letzte',
  price: 'px kurs cours preco precio',
  volume: 'vol qty quantity turnover umsatz',
  yield: 'rendite taxa rendement ytm',
  date: 'datum data fecha day',
  maturity: 'matures redemption vencimento vencimiento falligkeit echeance scadenza',
  coupon: 'kupon cupom',
  withdrawal: 'withdrawl wtl',
  government: 'govt gov',
  transfer: 'fund',
  interbank: 'ibft',
};

const WORDS_BY_SPELLING = new Map(
  Object.entries(SPELLINGS).flatMap(([word, spellings]) =>
    spellings.split(' ').map((spelling) => [spelling, word] as const),
  ),
);

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
  return WORDS_BY_SPELLING.get(word) ?? WORDS_BY_SPELLING.get(singular) ?? singular;
}

/** The likeness of two names by their words, from 0 to 1. */
export function compareWords(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const shared = a.filter((word) => b.includes(word)).length;
  return (2 * shared) / (a.length + b.length);
}
