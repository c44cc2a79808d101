import { useEffect, useState } from 'preact/hooks';
import { readTicketCode } from '../scan/code.ts';
import { Sell, ShiftSum } from './box-office.tsx';
import { Button, Choices, Languages, Page, Problem } from './parts.tsx';
import { DEFAULT_VOLUME, device, figures, scannedText, scanning, syncing, waiting } from './state.ts';
import { t, timeOf } from './texts.ts';
import { hasUpdate, useUpdate } from './updates.ts';

interface PartProps {
  onBack: () => void;
}

/** Numbers, surprises, and functions that are rarely needed. */
export function Menu({ onBack }: PartProps) {
  const [part, setPart] = useState<'settings' | 'end' | 'sell'>();
  if (part === 'sell') return <Sell onBack={() => setPart(undefined)} />;
  if (part === 'settings') return <Settings onBack={() => setPart(undefined)} />;
  if (part === 'end') return <EndShift onBack={() => setPart(undefined)} />;
  const session = device.session.value;
  return (
    <Page title={t('menu')} onBack={onBack}>
      <Figures />
      {session && <Surprises />}
      {device.sale.value && <p class="problem">{t('sale.unanswered')}</p>}
      {session?.greeting.gate.may_sell && <Button onClick={() => setPart('sell')}>{t('sell')}</Button>}
      {hasUpdate.value && (
        <>
          <Button onClick={() => void useUpdate()} disabled={waiting.value > 0}>
            {t('update')}
          </Button>
          <p class="hint">{t('update_hint')}</p>
        </>
      )}
      <Button onClick={() => syncing.now()}>{t('sync_now')}</Button>
      <Button onClick={() => setPart('settings')}>{t('settings')}</Button>
      {device.hasPin && <Button onClick={() => void device.lock()}>{t('lock')}</Button>}
      <Button onClick={() => setPart('end')}>{t('end')}</Button>
    </Page>
  );
}

function Figures() {
  const { inside, expected, left, recent, tickets } = figures.value;
  return (
    <table class="figures">
      <caption>{t('figures')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('figures.ticket')}</th>
          <th scope="col">{t('figures.inside')}</th>
          <th scope="col">{t('figures.expected')}</th>
        </tr>
      </thead>
      <tbody>
        {tickets.map((one, index) => (
          <tr key={index}>
            <th scope="row">{one.title}</th>
            <td>{one.inside}</td>
            <td>{one.expected}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('figures.all')}</th>
          <td>{inside}</td>
          <td>{expected}</td>
        </tr>
        <tr>
          <th scope="row">{t('figures.recent')}</th>
          <td>{recent}</td>
          <td />
        </tr>
        {left > 0 && (
          <tr>
            <th scope="row">{t('figures.left')}</th>
            <td>{left}</td>
            <td />
          </tr>
        )}
      </tfoot>
    </table>
  );
}

/** Clashes and late refusals of this device, and scans that the server could not read. */
function Surprises() {
  const clashes = device.session.value?.greeting.clashes ?? [];
  const { surprises } = syncing;
  const refused = device.queue.refused.length;
  if (clashes.length + surprises.value.length + refused === 0) return null;
  const nameOf = (id: number | undefined) => (id === undefined ? '' : (device.list.row(id)?.[6] ?? '')) || t('a_guest');
  return (
    <section aria-labelledby="surprises">
      <h2 id="surprises">{t('surprises.title')}</h2>
      <p>{t('surprises.text')}</p>
      <ul class="surprises">
        {clashes.map(({ id, attendee_id, reason, first_utc, first_place, second_place, second_utc }) => (
          <li key={id}>
            {first_utc === ''
              ? t('late_refusal', { name: nameOf(attendee_id), why: t(`verdict.${reason}` as 'verdict.unpaid') })
              : t('clash', {
                  name: nameOf(attendee_id),
                  first: first_place || t('elsewhere_checked'),
                  second: second_place,
                  time: timeOf(first_utc),
                  later: timeOf(second_utc),
                })}
          </li>
        ))}
        {surprises.value
          .filter(({ attendee }) => clashes.every(({ attendee_id }) => attendee_id !== attendee))
          .map(({ sent, attendee, answer, at }) => (
            <li key={sent.id}>
              {t('refused_later', {
                name: nameOf(attendee),
                time: timeOf(at.slice(0, 19)),
                why: t(`verdict.${answer?.verdict ?? 'unknown'}`),
              })}
            </li>
          ))}
      </ul>
      {refused > 0 && <p class="problem">{t('unreadable', { count: refused })}</p>}
    </section>
  );
}

const VOLUMES = [0, 1, 2, 3] as const;

/** Choices of the volunteer. */
export function Settings({ onBack }: PartProps) {
  const [typed, setTyped] = useState('');
  useEffect(() => {
    scannedText.value = '';
  }, []);
  const { volume = DEFAULT_VOLUME, isLeftHanded = false } = device.choices.value;
  return (
    <Page title={t('settings')} onBack={onBack}>
      <h2>{t('language')}</h2>
      <Languages />
      <h2>{t('volume')}</h2>
      <Choices
        label={t('volume')}
        value={volume}
        options={VOLUMES.map((value) => ({ value, label: t(`volume.${value}`) }))}
        onChoose={(value) => void device.choose({ volume: value })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isLeftHanded}
          onChange={({ currentTarget }) => void device.choose({ isLeftHanded: currentTarget.checked })}
        />
        {t('left_handed')}
      </label>
      <h2>{t('hand_scanner')}</h2>
      <div class="field">
        <label for="scanner">{t('hand_scanner.field')}</label>
        <input
          id="scanner"
          value={typed}
          autoComplete="off"
          aria-describedby="scanner-hint"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <p class="hint" id="scanner-hint">
          {t('hand_scanner.text')}
        </p>
        <p role="status">
          {scannedText.value &&
            t(readTicketCode(scannedText.value, location.origin) ? 'hand_scanner.ticket' : 'hand_scanner.other')}
        </p>
      </div>
    </Page>
  );
}

/** Ends the shift: sends waiting scans, shows the numbers, erases the list. */
export function EndShift({ onBack }: PartProps) {
  const [isPending, setPending] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const count = device.isRehearsal.value ? 0 : waiting.value;
  const end = async () => {
    if (device.isRehearsal.value) return location.reload();
    setPending(true);
    setFailed(false);
    await syncing.once();
    setPending(false);
    if (waiting.value > 0) return setFailed(true);
    scanning.last.value = undefined;
    await device.erase('ended');
  };
  return (
    <Page title={t('end')} onBack={onBack}>
      <Figures />
      <ShiftSum />
      {count > 0 && <p class="notice">{t('waiting', { count })}</p>}
      <p>{t('end.text')}</p>
      <Problem text={hasFailed ? t('end.failed') : undefined} />
      <Button look="primary" aria-disabled={isPending} onClick={() => !isPending && void end()}>
        {isPending ? t('end.pending') : t('end.act')}
      </Button>
      {hasFailed && <Button onClick={() => void device.erase('ended')}>{t('end.anyway')}</Button>}
    </Page>
  );
}
