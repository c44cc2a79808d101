import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { randomKey } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { isProblem, type Problem } from '../../../../client/problem.ts';
import { useMe, useRight, useSite } from '../../../data/account.ts';
import { useAction } from '../../../data/actions.ts';
import { contentLanguage } from '../../../data/content-language.ts';
import { refresh } from '../../../data/queries.ts';
import { Page } from '../../../shared/screen/page.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { useShortcut } from '../../../ui/shortcuts.ts';
import { FormProblem, NoRight } from '../../../ui/states.tsx';
import { toast, toastProblem } from '../../../ui/toast.tsx';
import '../events.css';
import { t } from '../routes.ts';
import {
  clearNewEvent,
  type EventWrites,
  makeEvent,
  type SentSoFar,
  storedNewEvent,
  storeNewEvent,
} from './make-event.ts';
import { ENTRIES, type Entry, eventOf, type NewEvent, suggestedEnd, ticketOf } from './new-event-input.ts';
import { VenueBox, venueNamed } from './venue-box.tsx';

const route = getRouteApi('/events/new');

type Status = 'publish' | 'pending' | 'draft';

const firstValues = (day: string): NewEvent => ({
  title: '',
  day,
  from: '19:00',
  until: '21:00',
  venue: '',
  entry: 'free',
  price: '',
  places: '',
});

/** Form of a new event. */
export function Screen() {
  return useRight('edit') ? (
    <NewEventForm />
  ) : (
    <Page title={t('new')}>
      <NoRight />
    </Page>
  );
}

/** Event, venue and ticket in six fields. */
function NewEventForm() {
  const { day = '', from } = route.useSearch();
  const { id: account } = useMe();
  const { timezone } = useSite();
  const mayPublish = useRight('publish');
  const maySell = useRight('manage_own_tickets', 'manage_tickets');
  const [before] = useState(() => storedNewEvent(account));
  const [values, setValues] = useState(() => (before ? { ...before.values, ...(day && { day }) } : firstValues(day)));
  const { send, problem, isSending } = useSending(account, values, { before: before?.sent ?? {}, from });
  const set = (changes: Partial<NewEvent>) => setValues((now) => ({ ...now, ...changes }));
  const first: Status = mayPublish ? 'publish' : 'pending';
  const isReady = values.title.trim() !== '' && values.day !== '' && values.from !== '' && values.until !== '';
  const go = (status: Status) => {
    if (isReady && !isSending) send(status);
  };
  useShortcut('Mod+s', t('new.draft'), () => go('draft'));
  useShortcut('Mod+Enter', t(`new.${first}`), () => go(first));
  return (
    <Page title={t('new')} note={<Link to="/events">{t('all')}</Link>}>
      <form
        className="form-section new-event"
        onSubmit={(event) => {
          event.preventDefault();
          go(first);
        }}
      >
        <FormProblem error={problem} fields={[]} />
        <TextField
          label={t('field.title')}
          value={values.title}
          onChange={(title) => set({ title })}
          problem={problem?.fields.title}
          isRequired
          autoFocus
        />
        <div className="form-row">
          <Clock label={t('new.day')} type="date" value={values.day} onChange={(next) => set({ day: next })} />
          <Clock
            label={t('field.start_date')}
            type="time"
            value={values.from}
            onChange={(from) => set({ from, ...(from && { until: suggestedEnd(from) }) })}
          />
          <Clock
            label={t('field.end_date')}
            type="time"
            value={values.until}
            onChange={(until) => set({ until })}
            hint={values.until <= values.from ? t('new.next_day') : undefined}
          />
        </div>
        <p className="hint">{t('new.zone', { zone: timezone })}</p>
        <VenueBox value={values.venue} onChange={(venue) => set({ venue })} />
        {maySell && <EntryChoice values={values} set={set} problem={problem} />}
        <div className="actions">
          <Button onPress={() => go('draft')} isDisabled={!isReady || isSending}>
            {t('new.draft')}
          </Button>
          <Button look="primary" type="submit" isDisabled={!isReady || isSending}>
            {t(`new.${first}`)}
          </Button>
        </div>
      </form>
    </Page>
  );
}

const ticketNames = () => ({ free: '', replies: t('new.name.replies'), tickets: t('new.name.tickets') });

interface SendingOptions {
  before: SentSoFar;
  /** Screen that opened the form, to which it returns; otherwise it opens the event. */
  from: 'set-up' | undefined;
}

/** Stores the input, and creates the event. A retry continues after what was created before the failure. */
function useSending(account: number, values: NewEvent, { before, from }: SendingOptions) {
  const navigate = route.useNavigate();
  const sent = useRef(before);
  useEffect(() => storeNewEvent(account, { values, sent: sent.current }), [account, values]);
  const keep = (next: SentSoFar) => {
    sent.current = next;
    storeNewEvent(account, { values, sent: next });
  };
  const create = async (status: Status) => {
    const event = eventOf(values, await venueNamed(values.venue));
    const ticket = ticketOf(values, ticketNames());
    const id = await makeEvent({ event, ticket, status }, sent.current, { ...writes, keep });
    clearNewEvent(account);
    toast(t(`new.done.${status}`));
    void refresh('/events/v1/');
    if (from) await navigate({ to: '/set-up', search: { step: 'done' } });
    else await navigate({ to: '/events/$id', params: { id: String(id) } });
  };
  const { run, error, isPending } = useAction(create, {
    onError: (caught) => isProblem(caught) || toastProblem(caught),
  });
  return { send: run, problem: isProblem(error) ? error : undefined, isSending: isPending };
}

const writes: Omit<EventWrites, 'keep'> = {
  createEvent: async (input, key) =>
    (await call('POST /events/v1/events', input, { key, language: contentLanguage() })).id,
  changeEvent: (id, input) => call('PATCH /events/v1/events/{id}', { id, ...input }, { language: contentLanguage() }),
  createTicket: async (event, input, key) =>
    (await call('POST /tickets/v1/tickets', { post_id: event, ...input }, { key, language: contentLanguage() })).id,
  removeTicket: (event, id) => call('DELETE /tickets/v1/tickets/{id}', { id, post_id: event }),
  newKey: randomKey,
};

interface EntryProps {
  values: NewEvent;
  set: (changes: Partial<NewEvent>) => void;
  problem: Problem | undefined;
}

/** Whether visitors RSVP or pay, and how many seats there are. */
function EntryChoice({ values: { entry, price, places }, set, problem }: EntryProps) {
  const { currency_symbol: symbol } = useSite();
  return (
    <>
      <RadioGroup
        className="choices"
        aria-label={t('new.entry')}
        value={entry}
        onChange={(chosen) => set({ entry: ENTRIES.find((one) => one === chosen) ?? 'free' })}
      >
        <span className="label" aria-hidden="true">
          {t('new.entry')}
        </span>
        {ENTRIES.map((one: Entry) => (
          <Radio key={one} value={one} className="choice">
            <span>{t(`new.entry.${one}`)}</span>
          </Radio>
        ))}
      </RadioGroup>
      {entry !== 'free' && (
        <div className="form-row">
          {entry === 'tickets' && (
            <TextField
              label={t('new.price', { currency: symbol })}
              value={price}
              onChange={(next) => set({ price: next })}
              problem={problem?.fields.price}
              inputMode="decimal"
            />
          )}
          <TextField
            label={t('new.places')}
            hint={t('new.places_hint')}
            value={places}
            onChange={(next) => set({ places: next })}
            problem={problem?.fields.ticket}
            inputMode="numeric"
          />
        </div>
      )}
    </>
  );
}

interface ClockProps {
  label: ReactNode;
  type: 'date' | 'time';
  value: string;
  onChange: (value: string) => void;
  hint?: string | undefined;
}

function Clock({ label, type, value, onChange, hint }: ClockProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type={type} required value={value} onChange={({ target }) => onChange(target.value)} />
      {hint && <span className="hint">{hint}</span>}
    </div>
  );
}
