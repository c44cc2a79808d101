import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { randomKey, type Series } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { isProblem, type Problem } from '../../../../client/problem.ts';
import { useMe, useRight, useSite } from '../../../data/account.ts';
import { useAction } from '../../../data/actions.ts';
import { contentLanguage } from '../../../data/content-language.ts';
import { refresh } from '../../../data/queries.ts';
import { sentPrice } from '../../../i18n/formats.ts';
import { textsIn } from '../../../i18n/texts.ts';
import { Page } from '../../../shared/screen/page.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Choice } from '../../../ui/choice-box.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { useShortcut } from '../../../ui/shortcuts.ts';
import { FormProblem, NoRight } from '../../../ui/states.tsx';
import { toast, toastProblem } from '../../../ui/toast.tsx';
import { findVenueNamed, useOnlyVenue, VenueBox } from '../choices.tsx';
import type en from '../locales/en.json';
import { RepeatField, t as seriesText } from '../repeat/repeat-field.tsx';
import { isComplete, NO_REPEAT, recurrenceOf } from '../repeat/repeat-rule.ts';
import { t } from '../routes.ts';
import {
  clearNewEvent,
  type EventWrites,
  makeEvent,
  type SentSoFar,
  storedNewEvent,
  storeNewEvent,
} from './make-event.ts';
import { ENTRIES, type Entry, eventOf, type NewEvent, suggestedEnd, ticketOf, venueOf } from './new-event-input.ts';
import '../events.css';

const route = getRouteApi('/events/new');

type Status = 'publish' | 'pending' | 'draft';

const firstValues = (day: string): NewEvent => ({
  title: '',
  day,
  from: '19:00',
  until: '21:00',
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
  const mayPublish = useRight('publish');
  const maySell = useRight('manage_own_tickets', 'manage_tickets');
  const [before] = useState(() => storedNewEvent(account));
  const [values, setValues] = useState(() => (before ? { ...before.values, ...(day && { day }) } : firstValues(day)));
  const only = useOnlyVenue();
  const venue = values.venue ?? (only ? [only] : []);
  const typed = useTypedVenue();
  const form = useRef<HTMLFormElement>(null);
  const { send, problem, isSending } = useSending(account, values, { before: before?.sent ?? {}, from });
  const set = (changes: Partial<NewEvent>) => setValues((now) => ({ ...now, ...changes }));
  const first: Status = mayPublish ? 'publish' : 'pending';
  const repeat = values.repeat ?? NO_REPEAT;
  const go = async (status: Status) => {
    if (isSending) return;
    if (!isReady(values)) return showProblems(form.current);
    const chosen = await typed.settle(venue);
    if (chosen) send({ status, venue: chosen });
  };
  const press = (status: Status) => void go(status).catch(toastProblem);
  useShortcut('Mod+s', t('new.draft'), () => press('draft'));
  useShortcut('Mod+Enter', t(`new.${first}`), () => press(first));
  return (
    <Page title={t('new')} note={<Link to="/events">{t('all')}</Link>}>
      {/* Enter in a field sends nothing: an event becomes public by its button only. */}
      <form ref={form} className="form-section new-event" onSubmit={(event) => event.preventDefault()}>
        <FormProblem error={problem} fields={[]} />
        <TextField
          label={t('field.title')}
          value={values.title}
          onChange={(title) => set({ title })}
          problem={problem?.fields.title}
          isRequired
          autoFocus
        />
        <TimeFields values={values} set={set} />
        <RepeatField
          value={repeat}
          onChange={(next) => set({ repeat: next })}
          day={values.day}
          previewed={previewedOf(values, venue)}
          problem={problem?.fields.recurrence}
        />
        <VenueBox
          value={venue}
          onChange={(chosen) => set({ venue: chosen })}
          problem={typed.problem}
          onUnfinished={typed.note}
        />
        {maySell && <EntryChoice values={values} set={set} problem={problem} />}
        <div className="actions">
          <Button onPress={() => press('draft')} isDisabled={isSending}>
            {t('new.draft')}
          </Button>
          <Button look="primary" onPress={() => press(first)} isDisabled={isSending}>
            {t(`new.${first}`)}
          </Button>
        </div>
      </form>
    </Page>
  );
}

const isReady = ({ title, day, from, until, repeat = NO_REPEAT }: NewEvent): boolean =>
  [title.trim(), day, from, until].every((text) => text !== '') && isComplete(repeat, day);

/** Focuses the first field with a problem. The browser knows of empty fields only. */
function showProblems(form: HTMLFormElement | null): void {
  if (form?.reportValidity()) form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** The name of a venue that was typed but not chosen. */
function useTypedVenue() {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const note = (typed: string) => {
    setName(typed);
    setProblem(undefined);
  };
  /** A name that was typed in full counts as chosen; another one creates no venue, and resolves to undefined. */
  const settle = async (chosen: readonly Choice[]): Promise<readonly Choice[] | undefined> => {
    if (name === '') return chosen;
    const known = await findVenueNamed(name);
    if (!known) setProblem(t('new.venue_unfinished', { name }));
    return known && [known];
  };
  return { problem, note, settle };
}

interface TimeFieldsProps {
  values: NewEvent;
  set: (changes: Partial<NewEvent>) => void;
}

/** Day, start and end, in the time zone of the site. */
function TimeFields({ values, set }: TimeFieldsProps) {
  const { timezone } = useSite();
  return (
    <>
      <div className="form-row">
        <Clock label={t('new.day')} type="date" value={values.day} onChange={(next) => set({ day: next })} />
        <Clock
          label={t('new.from')}
          type="time"
          value={values.from}
          onChange={(from) => set({ from, ...(from && { until: suggestedEnd(from) }) })}
        />
        <Clock
          label={t('new.until')}
          type="time"
          value={values.until}
          onChange={(until) => set({ until })}
          hint={values.until <= values.from ? t('new.next_day') : undefined}
        />
      </div>
      <p className="hint">{t('new.zone', { zone: timezone })}</p>
    </>
  );
}

/** First event of a series for a dry run, which needs no title and makes no venue. */
const previewedOf = (values: NewEvent, [venue]: readonly Choice[]) => ({
  event: eventOf({ ...values, title: values.title.trim() || t('event') }, venue?.id),
});

/** Names of the ticket, in the language of the content. */
async function ticketNames() {
  const name = await textsIn<typeof en>('events', contentLanguage());
  return { free: '', replies: name('new.name.replies'), tickets: name('new.name.tickets') };
}

interface SendingOptions {
  before: SentSoFar;
  /** Screen that opened the form, to which it returns; otherwise it opens the event. */
  from: 'set-up' | undefined;
}

/** Stores the input, and creates the event. A retry continues after what was created before the failure. */
function useSending(account: number, values: NewEvent, { before, from }: SendingOptions) {
  const navigate = route.useNavigate();
  const { currency } = useSite();
  const sent = useRef(before);
  useEffect(() => storeNewEvent(account, { values, sent: sent.current }), [account, values]);
  const keep = (next: SentSoFar) => {
    sent.current = next;
    storeNewEvent(account, { values, sent: next });
  };
  const create = async ({ status, venue }: { status: Status; venue: readonly Choice[] }) => {
    // A venue of that name may have been created in the meantime.
    const [chosen] = venue;
    const known = chosen && chosen.id === undefined ? await findVenueNamed(chosen.name) : undefined;
    const event = eventOf(values, venueOf(known ? [known] : venue));
    const ticket = ticketOf({ ...values, price: sentPrice(values.price, currency) }, await ticketNames());
    const recurrence = recurrenceOf(values.repeat ?? NO_REPEAT, values.day);
    let later = 0;
    const createSeries: EventWrites['createSeries'] = async (...wanted) => {
      const { id: series, pending = 0 } = await makeSeries(...wanted);
      later = pending;
      return series;
    };
    const id = await makeEvent({ event, ticket, recurrence, status }, sent.current, { ...writes, createSeries, keep });
    clearNewEvent(account);
    toast([t(`new.done.${status}`), later > 0 && seriesText('made.later', { count: later })].filter(Boolean).join(' '));
    void refresh('/events/v1/');
    if (from) await navigate({ to: '/set-up', search: { step: 'done' } });
    else
      await navigate({
        to: '/events/$id',
        params: { id: String(id) },
        search: status === 'publish' ? { just: status } : {},
      });
  };
  const { run, error, isPending } = useAction(create, {
    onError: (caught) => isProblem(caught) || toastProblem(caught),
  });
  return { send: run, problem: isProblem(error) ? error : undefined, isSending: isPending };
}

async function makeSeries(...[event_id, recurrence, key]: Parameters<EventWrites['createSeries']>): Promise<Series> {
  const options = { key, language: contentLanguage() };
  // Only a dry run returns a preview.
  return (await call('POST /events/v1/series', { event_id, recurrence }, options)) as Series;
}

const writes: Omit<EventWrites, 'keep' | 'createSeries'> = {
  createEvent: async (input, key) =>
    (await call('POST /events/v1/events', input, { key, language: contentLanguage() })).id,
  changeEvent: (id, input) => call('PATCH /events/v1/events/{id}', { id, ...input }, { language: contentLanguage() }),
  createTicket: async (event, input, key) =>
    (await call('POST /tickets/v1/tickets', { post_id: event, ...input }, { key, language: contentLanguage() })).id,
  removeTicket: (event, id) => call('DELETE /tickets/v1/tickets/{id}', { id, post_id: event }),
  removeSeries: (id) => call('DELETE /events/v1/series/{id}', { id }),
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
