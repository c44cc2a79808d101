import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type Event, type FullOrder, randomKey } from '../../../../packages/client/src/marquee-client.ts';
import { localFormat } from '../../../../src/lib/money/money.ts';
import { call } from '../../../client/call.ts';
import { useMe, useRight, useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { SELLS } from '../../data/rights.ts';
import { inUnits, minorUnits, when } from '../../i18n/formats.ts';
import { language } from '../../i18n/texts.ts';
import { whereOf } from '../../shared/events/listed-events.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Empty, Failure, FormProblem, RowsLoading } from '../../ui/states.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { EventChoice } from './event-choice.tsx';
import { t } from './routes.ts';
import {
  type Choice,
  changeOf,
  createSaleKeys,
  itemsOf,
  type Offer,
  offersOf,
  PAYMENTS,
  type Payment,
  placesOf,
  totalOf,
} from './sale.ts';
import { Sold } from './sold.tsx';
import './counter.css';

const route = getRouteApi('/counter');

/** Sells tickets that are paid at once. */
export function Screen() {
  const { event } = route.useSearch();
  const navigate = route.useNavigate();
  const me = useMe();
  const maySell = useRight(...SELLS);
  const author = useRight('sell') ? undefined : me.id;
  const choose = (next: number | undefined) => void navigate({ search: { event: next } });
  if (!maySell)
    return (
      <Page title={t('title')}>
        <Empty icon="lock" text={t('no_right')} />
      </Page>
    );
  if (event === undefined)
    return (
      <Page title={t('title')} note={t('choose')}>
        <div className="counter-events">
          <EventChoice label={t('event')} author={author} onChoose={choose} />
        </div>
      </Page>
    );
  return <Counter key={event} event={event} onLeave={() => choose(undefined)} />;
}

function Counter({ event, onLeave }: { event: number; onLeave: () => void }) {
  const record = useQuery(read('GET /events/v1/events/{id}', { id: event }));
  const tickets = useQuery(read('GET /tickets/v1/tickets', { include_post: [event], per_page: 50 }));
  const stock = useQuery(read('GET /admin/v1/events/{id}/stock', { id: event }));
  const [sold, setSold] = useState<FullOrder>();
  const error = record.error ?? tickets.error ?? stock.error;
  const next = () => {
    setSold(undefined);
    void refresh('/admin/v1/');
  };
  const change = (
    <Button look="plain" icon="events" onPress={onLeave}>
      {t('change_event')}
    </Button>
  );
  if (sold) return <Sold order={sold} onNext={next} />;
  return (
    <Page
      title={record.data?.title ?? t('title')}
      note={record.data && <EventNote event={record.data} />}
      actions={change}
    >
      {error && <Failure error={error} onRetry={() => void stock.refetch()} />}
      {!error && !(tickets.data && stock.data && record.data) && <RowsLoading rows={3} />}
      {tickets.data && stock.data && record.data && (
        <SaleForm offers={offersOf(tickets.data.tickets, stock.data)} onSold={setSold} />
      )}
    </Page>
  );
}

/** Time and venue of the event, and whether it is a draft. */
const EventNote = ({ event }: { event: Event }) => (
  <>
    {[when.span(event), whereOf(event)].filter(Boolean).join(' · ')}{' '}
    {['draft', 'pending'].includes(event.status) && <span className="badge warn">{t('draft')}</span>}
  </>
);

/** Amounts in the currency of the site. */
function useMoney(): (amount: number) => string {
  const { currency } = useSite();
  const format = localFormat(currency, language);
  return (amount) => format.format(amount);
}

function SaleForm({ offers, onSold }: { offers: readonly Offer[]; onSold: (order: FullOrder) => void }) {
  const [choice, setChoice] = useState<Choice>({});
  const [payment, setPayment] = useState<Payment>('cash');
  const [given, setGiven] = useState('');
  const [customer, setCustomer] = useState<Customer>({ name: '', email: '' });
  const [keys] = useState(() => createSaleKeys(randomKey));
  const money = useMoney();
  const total = totalOf(offers, choice);
  const places = placesOf(choice);
  const [name, email] = [customer.name.trim(), customer.email.trim()];
  const purchaser = { ...(name && { name }), ...(email && { email }) };
  const sale = {
    items: itemsOf(choice),
    payment: total === 0 ? ('free' as const) : payment,
    ...(Object.keys(purchaser).length > 0 && { purchaser }),
  };
  const sell = useAction(() => call('POST /admin/v1/orders', sale, { key: keys.keyOf(sale) }), {
    onSuccess: (order) => {
      keys.finish();
      onSold(order);
    },
    onError: () => void refresh('/admin/v1/events'),
  });
  const submit = () => {
    if (places > 0) sell.run();
  };
  useShortcut('Mod+Enter', t('sell'), submit);
  if (offers.length === 0) return <Empty icon="ticket" text={t('no_tickets')} />;
  return (
    <form
      className="counter"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <OfferList
        offers={offers}
        choice={choice}
        onChange={(ticket, places) => setChoice((now) => ({ ...now, [ticket]: places }))}
        money={money}
      />
      <PaymentChoice value={payment} onChange={setPayment} />
      {payment === 'cash' && total > 0 && <Change given={given} total={total} onChange={setGiven} money={money} />}
      <CustomerFields value={customer} onChange={setCustomer} />
      <FormProblem error={sell.error} fields={[]} />
      <Foot places={places} total={money(total)} isPending={sell.isPending} />
    </form>
  );
}

interface Customer {
  name: string;
  email: string;
}

function CustomerFields({ value, onChange }: { value: Customer; onChange: (value: Customer) => void }) {
  return (
    <details>
      <summary>{t('buyer')}</summary>
      <div className="form-row">
        <TextField
          label={t('name')}
          value={value.name}
          onChange={(name) => onChange({ ...value, name })}
          maxLength={200}
        />
        <TextField
          label={t('email')}
          type="email"
          value={value.email}
          onChange={(email) => onChange({ ...value, email })}
        />
      </div>
    </details>
  );
}

/** The total, and the button that sells. */
function Foot({ places, total, isPending }: { places: number; total: string; isPending: boolean }) {
  return (
    <div className="counter-foot">
      <p className="figure" role="status">
        <strong>{total}</strong>
        <span>{t('places', { count: places })}</span>
      </p>
      {places > 0 ? (
        <Button look="primary" type="submit" isPending={isPending}>
          {t('sell_for', { count: places, total })}
        </Button>
      ) : (
        <p className="soft">{t('choose_places')}</p>
      )}
    </div>
  );
}

interface OfferListProps {
  offers: readonly Offer[];
  choice: Choice;
  onChange: (ticket: number, places: number) => void;
  money: (amount: number) => string;
}

function OfferList({ offers, choice, onChange, money }: OfferListProps) {
  return (
    <ul className="cards">
      {offers.map(({ ticket_id, title, price, available }, index) => (
        <li key={ticket_id} className="card">
          <div>
            <strong className="clamped">{title}</strong>
            <p className="soft">
              {money(price)} · {available > 0 ? t('left', { count: available }) : t('sold_out')}
            </p>
          </div>
          <Stepper
            label={t('places_of', { title })}
            labels={{ less: t('less', { title }), more: t('more', { title }) }}
            value={choice[ticket_id] ?? 0}
            max={available}
            autoFocus={index === 0}
            onChange={(places) => onChange(ticket_id, places)}
          />
        </li>
      ))}
    </ul>
  );
}

function PaymentChoice({ value, onChange }: { value: Payment; onChange: (payment: Payment) => void }) {
  return (
    <fieldset className="payments">
      <legend>{t('payment')}</legend>
      {PAYMENTS.map((way) => (
        <label key={way} className="payment">
          <input type="radio" name="payment" value={way} checked={value === way} onChange={() => onChange(way)} />
          <span>{t(`payment.${way}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface ChangeProps {
  given: string;
  total: number;
  onChange: (given: string) => void;
  money: (amount: number) => string;
}

/** Calculates the change of a sale in cash. */
function Change({ given, total, onChange, money }: ChangeProps) {
  const { currency } = useSite();
  const minor = minorUnits(given, currency);
  const change = typeof minor === 'number' ? changeOf(inUnits(minor, currency), total) : undefined;
  return (
    <div className="counter-change">
      <TextField label={t('given')} value={given} onChange={onChange} inputMode="decimal" autoComplete="off" />
      <p className="figure" role="status">
        {change !== undefined && (
          <>
            <strong>{money(Math.abs(change))}</strong>
            <span>{t(change < 0 ? 'missing' : 'change')}</span>
          </>
        )}
      </p>
    </div>
  );
}
