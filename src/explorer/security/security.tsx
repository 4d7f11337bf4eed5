import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { usePlace } from '../address/place.ts';
import { Empty, Shown, type ShownProps } from '../parts/states.tsx';
import type { Security as Listed, Quote } from '../quotes/quote.ts';
import type { Entry } from '../service/catalogue.ts';
import { ServiceContext } from '../service/service.ts';
import { useAnswer } from '../service/use-answer.ts';
import { Finder } from './finder.tsx';
import { Life } from './life.tsx';

/** One security over time, with what was corrected; without one, a way to find it. */
export function Security() {
  const { catalogue } = useContext(ServiceContext);
  const { symbol } = usePlace().at;
  const entry = catalogue.find(({ shape }) => shape === 'quotes');
  const listed = useAnswer<readonly Listed[]>(entry && { path: '/2.0/bnb/securities' });
  if (!entry) {
    return (
      <>
        <h1>Security</h1>
        <Empty title="This token does not open quotes">Sign in with one that does.</Empty>
      </>
    );
  }
  return !symbol ? (
    <>
      <h1>Find a security</h1>
      <Shown asked={listed} what="securities">
        {(securities) => <Finder entry={entry} securities={securities} />}
      </Shown>
    </>
  ) : (
    <Titled title={symbol} asked={listed} what="securities">
      {(securities) => <Named entry={entry} securities={securities} name={symbol} />}
    </Titled>
  );
}

/** What was asked for brings a heading of its own; until then, or without it, there is this one. */
function Titled<T>({ title, ...shown }: ShownProps<T> & { readonly title: string }) {
  return (
    <>
      {shown.asked.data === undefined && <h1>{title}</h1>}
      <Shown {...shown} />
    </>
  );
}

interface NamedProps {
  readonly entry: Entry;
  readonly securities: readonly Listed[];
  /** A symbol or an ISIN, in any letter case: the service knows whose. */
  readonly name: string;
}

function Named({ entry, securities, name }: NamedProps) {
  const asked = useAnswer<readonly Quote[]>({ path: entry.path, parameters: { symbol: name } });
  return (
    <Titled title={name} asked={asked} what={name}>
      {([quote]) => {
        const security = securities.find(({ symbol }) => symbol === quote?.symbol);
        return security ? (
          <Life key={security.symbol} entry={entry} security={security} securities={securities} />
        ) : (
          <Unknown name={name} />
        );
      }}
    </Titled>
  );
}

function Unknown({ name }: { readonly name: string }) {
  const { api } = useContext(ServiceContext);
  return (
    <>
      <h1>{name}</h1>
      <Empty title={`No security is called “${name}”`}>
        {api.asOf !== undefined && 'It may have had no quote yet at the instant you look at. '}
        <Link to="security" at={{ find: name }}>
          Find it by a part of its symbol or ISIN
        </Link>
        , or <Link to="security">look through all of them</Link>.
      </Empty>
    </>
  );
}
