import type { ColorName, WeakPair } from '../../../../../src/lib/theme.ts';
import { t } from '../routes.ts';
import { roundedDown } from './weak-pairs.ts';

/** Says as one types whether there are texts that are hard to read. The server refuses such colours. */
export function ContrastBadge({ weak }: { weak: ReadonlyMap<ColorName, readonly WeakPair[]> }) {
  const count = [...weak.values()].reduce((sum, pairs) => sum + pairs.length, 0);
  return (
    <span className={count === 0 ? 'badge good' : 'badge bad'} role="status">
      {count === 0 ? t('contrast.good') : t('contrast.bad', { count })}
    </span>
  );
}

/** Pairs of one colour that are named; more of them mean the same mistake. */
const MOST = 3;

/** What is hard to read because of one colour. */
export function WeakPairs({ id, pairs }: { id: string; pairs: readonly WeakPair[] }) {
  const left = pairs.length - MOST;
  return (
    <ul id={id} className="weak-pairs">
      {pairs.slice(0, MOST).map(({ color, ground, scheme, ratio, needed }) => (
        <li key={`${color} ${ground}`}>
          {t('contrast.pair', {
            color: t(`token.${color}`),
            ground: t(`token.${ground}`),
            scheme: t(`scheme.${scheme}`),
            ratio: roundedDown(ratio),
            needed,
          })}
        </li>
      ))}
      {left > 0 && <li>{t('contrast.more', { count: left })}</li>}
    </ul>
  );
}
