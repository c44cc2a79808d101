import type { WeakPair } from '../../../src/lib/theme.ts';
import { CONTRAST_ID } from './color-fields.tsx';
import { t } from './texts.ts';
import { roundedDown } from './weak-pairs.ts';

/** Pairs that are named; more of them mean the same mistake. */
const MOST = 6;

/** Says as one types which texts would be hard to read. The server refuses such colours. */
export function Contrast({ pairs }: { pairs: readonly WeakPair[] }) {
  const left = pairs.length - MOST;
  return (
    <div id={CONTRAST_ID} className="contrast" role="status">
      {pairs.length === 0 ? (
        <p>
          <span className="badge good">{t('contrast.good')}</span>
        </p>
      ) : (
        <>
          <p>
            <span className="badge bad">{t('contrast.bad', { count: pairs.length })}</span>
          </p>
          <ul>
            {pairs.slice(0, MOST).map(({ color, ground, scheme, ratio, needed }) => (
              <li key={`${scheme} ${color} ${ground}`}>
                {t('contrast.pair', {
                  color: t(`token.${color}`),
                  ground: t(`token.${ground}`),
                  scheme: t(`scheme.${scheme}`),
                  ratio: roundedDown(ratio),
                  needed,
                })}
              </li>
            ))}
          </ul>
          {left > 0 && <p className="soft">{t('contrast.more', { count: left })}</p>}
        </>
      )}
    </div>
  );
}
