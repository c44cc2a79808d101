import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { DOOR_MODES } from '../../../src/lib/door/door-verdict.ts';
import { Menu } from './menu.tsx';
import { Button, Choices } from './parts.tsx';
import { demoCodes } from './rehearsal.ts';
import { Search } from './search.tsx';
import { device, figures, now, scanning, syncing, waiting } from './state.ts';
import { span, t } from './texts.ts';
import { VerdictScreen } from './verdict.tsx';
import { Viewer } from './viewer.tsx';

/** Keeps the screen on while the door is open. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    const ask = () => {
      if (document.visibilityState !== 'visible') return;
      navigator.wakeLock?.request('screen').then(
        (granted) => {
          lock = granted;
        },
        () => undefined,
      );
    };
    ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}

/** State of the connection, of scans that wait and of the list, in words. */
function Status() {
  const session = device.session.value;
  const failure = syncing.failure.value;
  const age = now.value + device.server.offset - (session?.synced ?? 0);
  const isOld = failure !== undefined || age > 60_000;
  return (
    <p class={`status ${isOld ? 'is-old' : ''}`} aria-live="off">
      {device.isRehearsal.value ? t('rehearsal.short') : t(failure ? `status.${failure}` : 'status.online')}
      {waiting.value > 0 && !device.isRehearsal.value && ` · ${t('waiting', { count: waiting.value })}`}
      {session && session.synced > 0 && ` · ${t('list_age', { age: span(age) })}`}
    </p>
  );
}

const PARTS = ['search', 'menu'] as const;
type Part = (typeof PARTS)[number];

/** The open part of the screen. After it is closed, the button that opened it gets the focus. */
function useParts() {
  const [part, setPart] = useState<Part>();
  const heading = useRef<HTMLHeadingElement>(null);
  const openers = useRef<Partial<Record<Part, HTMLButtonElement | null>>>({});
  const left = useRef<Part | undefined>(undefined);
  useLayoutEffect(() => {
    const opener = left.current && openers.current[left.current];
    if (!part) (opener ?? heading.current)?.focus({ preventScroll: true });
    left.current = part;
  }, [part]);
  return { part, setPart, heading, openers };
}

/** The screen of the shift. */
export function Scan() {
  const { part, setPart, heading, openers } = useParts();
  useWakeLock();
  const session = device.session.value;
  if (!session) return null;
  const { gate } = session.greeting;
  const { mode, shown } = scanning;
  const [firstMode] = DOOR_MODES.filter((one) => gate.modes.includes(one));
  if (!gate.modes.includes(mode.value) && firstMode) mode.value = firstMode;
  const { inside, expected } = figures.value;
  const isCovered = shown.value !== undefined;
  return (
    <div class={device.choices.value.isLeftHanded ? 'left-handed' : undefined}>
      <div inert={isCovered}>
        {part === 'search' && <Search onBack={() => setPart(undefined)} />}
        {part === 'menu' && <Menu onBack={() => setPart(undefined)} />}
        {!part && (
          <>
            <header class="head scan-head">
              <h1 ref={heading} tabIndex={-1}>
                {gate.name}
              </h1>
              <p class="count">
                <strong>{t('inside_of', { inside, expected })}</strong>
              </p>
              <Status />
            </header>
            <main class="scan">
              <Modes allowed={gate.modes} />
              <Viewer onText={(text) => scanning.see(text)} hasTools />
              {scanning.hasFailed.value && (
                <p role="alert" class="problem">
                  {t('not_stored')}
                </p>
              )}
              <Demo />
              <Last />
              <div class="bar">
                {PARTS.filter((one) => one !== 'search' || gate.may_search).map((one) => (
                  <Button
                    key={one}
                    ref={(button: HTMLButtonElement | null) => {
                      openers.current[one] = button;
                    }}
                    onClick={() => setPart(one)}
                  >
                    {t(one)}
                  </Button>
                ))}
              </div>
            </main>
          </>
        )}
      </div>
      {shown.value && <VerdictScreen shown={shown.value} />}
    </div>
  );
}

/** Choice of the mode, if the gate has several. */
function Modes({ allowed }: { allowed: readonly (typeof DOOR_MODES)[number][] }) {
  const { mode } = scanning;
  const modes = DOOR_MODES.filter((one) => allowed.includes(one));
  if (modes.length < 2) return null;
  return (
    <Choices
      label={t('mode')}
      value={mode.value}
      options={modes.map((value) => ({ value, label: t(`mode.${value}`) }))}
      onChoose={(value) => {
        mode.value = value;
      }}
    />
  );
}

/** The last scan, which can be undone for five minutes. */
function Last() {
  const last = scanning.last.value;
  const mayUndo = last && now.value < last.until;
  const surprises = syncing.surprises.value.length + (device.session.value?.greeting.clashes.length ?? 0);
  return (
    <div class="last">
      {mayUndo && (
        <>
          <p>
            {t(`verdict.${last.shown.verdict}`)}: {last.shown.name || last.shown.ticket}
          </p>
          <Button onClick={() => void scanning.undo()}>{t('undo')}</Button>
        </>
      )}
      {surprises > 0 && <p class="notice">{t('surprises', { count: surprises })}</p>}
    </div>
  );
}

/** Codes of sample guests, for rehearsals. */
function Demo() {
  if (!device.isRehearsal.value) return null;
  return (
    <fieldset class="demo" aria-label={t('rehearsal.codes')}>
      {demoCodes.value.map(({ name, text }) => (
        <Button look="small" key={text} onClick={() => scanning.scan(text)}>
          {name}
        </Button>
      ))}
    </fieldset>
  );
}
