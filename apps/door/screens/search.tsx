import { useEffect, useRef, useState } from 'preact/hooks';
import type { DoorRow } from '../../../src/lib/door/door-list.ts';
import { timelineIn } from '../scan/decide.ts';
import { Button, Page } from './parts.tsx';
import { device, scanning } from './state.ts';
import { t, timeOf } from './texts.ts';

const MOST = 30;

/** Finds guests by name. Nothing is shown until two letters are typed. A single tap only chooses a guest. */
export function Search({ onBack }: { onBack: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<number>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    device.list.prepareSearch();
  }, []);
  void device.version.value;
  const found = device.list.search(text, MOST);
  const letters = text.trim().length;
  return (
    <Page title={t('search')} onBack={onBack}>
      <div class="field">
        <label for="search">{t('search.name')}</label>
        <input
          id="search"
          ref={field}
          type="search"
          value={text}
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setChosen(undefined);
          }}
        />
      </div>
      <p role="status">{letters < 2 ? t('search.more') : t('search.found', { count: found.length })}</p>
      <ul class="found">
        {found.map((row) => (
          <Found key={row[0]} row={row} isChosen={chosen === row[0]} onChoose={setChosen} />
        ))}
      </ul>
    </Page>
  );
}

interface FoundProps {
  row: DoorRow;
  isChosen: boolean;
  /** Called without an id once the guest is checked in. */
  onChoose: (id: number | undefined) => void;
}

/** A guest, and the button that checks in once the guest is chosen. */
const Found = ({ row, isChosen, onChoose }: FoundProps) => (
  <li>
    <button type="button" aria-expanded={isChosen} onClick={() => onChoose(row[0])}>
      <Guest row={row} />
    </button>
    {isChosen && (
      <Button
        look="primary"
        onClick={({ currentTarget }) => {
          // This button disappears, so the guest gets its focus.
          currentTarget.parentElement?.querySelector('button')?.focus({ preventScroll: true });
          onChoose(undefined);
          scanning.choose(row);
        }}
      >
        {t(`act.${scanning.mode.value}`)}
      </Button>
    )}
  </li>
);

function Guest({ row }: { row: DoorRow }) {
  const session = device.session.value;
  if (!session) return null;
  const [, event, ticket, admission, , , name] = row;
  const { isIn, hasLeft, entry } = timelineIn(row, { session, scansOf: (id) => device.queue.of(id) });
  const { tickets, events } = session.list;
  const parts = [
    tickets.find(({ id }) => id === ticket)?.title,
    events.length > 1 && events.find(({ id }) => id === event)?.title,
    admission !== 'ok' && t(`verdict.${admission}`),
    isIn && entry && t('in_since', { time: timeOf(entry.at) }),
    hasLeft && t('has_left'),
  ];
  return (
    <>
      <strong>{name}</strong>
      <span>{parts.filter(Boolean).join(' · ')}</span>
    </>
  );
}
