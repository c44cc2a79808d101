import { useLayoutEffect, useRef } from 'preact/hooks';
import { msOf } from '../list/clock.ts';
import type { Shown } from '../scan/scanning.ts';
import { lookOf } from '../scan/tone.ts';
import { TakePayment } from './box-office.tsx';
import { Button, useEscape } from './parts.tsx';
import { device, dismiss } from './state.ts';
import { money, span, t, timeOf } from './texts.ts';

/** A verdict over the whole screen, to be read at arm's length, without colours or by ear. */
export function VerdictScreen({ shown }: { shown: Shown }) {
  const { verdict, isConfirmed, name, ticket, event, override } = shown;
  const { tone, sign } = lookOf(verdict);
  const next = useRef<HTMLButtonElement>(null);
  useLayoutEffect(giveBackFocus, []);
  useLayoutEffect(() => next.current?.focus(), [shown]);
  useEscape(dismiss);
  const isDoubtful = tone === 'yes' && !isConfirmed && !device.isRehearsal.value;
  const details = detailsOf(shown);
  const word = t(`verdict.${verdict}`);
  return (
    <div
      class={`verdict ${tone} ${isDoubtful ? 'unconfirmed' : ''}`}
      role="alertdialog"
      aria-modal="true"
      aria-labelledby="verdict"
      aria-describedby="verdict-details"
    >
      <div class="verdict-text">
        <p class="sign" aria-hidden="true">
          {sign}
          {isDoubtful && <span class="cloud">☁</span>}
        </p>
        <h2 id="verdict" style={{ '--letters': longestWord(word) }}>
          {word}
        </h2>
        <div id="verdict-details">
          {name && <p class="guest">{name}</p>}
          {(ticket || event) && <p>{[ticket, event].filter(Boolean).join(' · ')}</p>}
          {shown.note && <p class="note">{shown.note}</p>}
          {details.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {isDoubtful && <p>{t('not_confirmed')}</p>}
        </div>
      </div>
      <div class="verdict-acts">
        {verdict === 'unpaid' && <TakePayment key={shown.scan?.sent.id} shown={shown} />}
        {override && <Button onClick={() => void override()}>{t('override')}</Button>}
        <button type="button" class="button" ref={next} onClick={dismiss}>
          {t('next')}
        </button>
      </div>
    </div>
  );
}

/** Returns the function that gives the focus back to the element that has it now, or else to the heading below. */
function giveBackFocus(): () => void {
  const before = document.activeElement;
  // The screen below takes no focus until the verdict has left it.
  return () =>
    setTimeout(() => {
      const isLeft = before instanceof HTMLElement && before !== document.body && before.isConnected;
      (isLeft ? before : document.querySelector('h1'))?.focus({ preventScroll: true });
    });
}

/** Sentences about a verdict, most important first. */
function detailsOf({ verdict, first, companions, owed, opens, closed, hint }: Shown): string[] {
  const currency = device.session.value?.list.currency ?? 'USD';
  const ago = first && device.server.now() - msOf(first.utc);
  return [
    verdict === 'unpaid' && owed > 0 && t('owed', { sum: money(owed, currency) }),
    verdict !== 'undone' && t(hint ? `hint.${hint}` : `why.${verdict}`),
    verdict === 'already-in' && first && ago !== undefined
      ? t(first.place ? 'first_at' : 'first', { time: timeOf(first.utc), ago: span(ago), place: first.place })
      : '',
    opens && t('opens', { time: timeOf(opens) }),
    closed && t('closed', { time: timeOf(closed) }),
    companions && t('companions', { count: companions.inside, all: companions.all }),
  ].filter((text): text is string => typeof text === 'string' && text !== '');
}

/** Letters of the longest word, from which its size follows. */
const longestWord = (text: string): number => Math.max(...text.split(' ').map(({ length }) => length));
