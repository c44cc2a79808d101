import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type FullOrder, randomKey } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useRight, useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { language } from '../../i18n/texts.ts';
import { EventSearch } from '../../shared/pickers/record-picker.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Empty, Failure, FormProblem, RowsLoading } from '../../ui/states.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import './counter.css';
import { t } from './routes.ts';
import {
  type Choice,
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

const route = getRouteApi('/counter');

/** Sells tickets that are paid at once. */
export function Screen() {
  const { event } = route.useSearch();
  const navigate = route.useNavigate();
  const maySell = useRight('manage_attendees');
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
          <EventSearch label={t('event')} onChoose={choose} />
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
    <Page title={record.data?.title ?? t('title')} note={record.data && when.span(record.data)} actions={change}>
      {error && <Failure error={error} onRetry={() => void stock.refetch()} />}
      {!error && !(tickets.data && stock.data && record.data) && <RowsLoading rows={3} />}
      {tickets.data && stock.data && record.data && (
        <SaleForm offers={offersOf(tickets.data.tickets, stock.data)} onSold={setSold} />
      )}
    </Page>
  );
}

/** Amounts in the currency of the site. */
function useMoney(): (amount: number) => string {
  const { currency } = useSite();
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return (amount) => format.format(amount);
}

function SaleForm({ offers, onSold }: { offers: readonly Offer[]; onSold: (order: FullOrder) => void }) {
  const [choice, setChoice] = useState<Choice>({});
  const [payment, setPayment] = useState<Payment>('cash');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [keys] = useState(() => createSaleKeys(randomKey));
  const money = useMoney();
  const total = totalOf(offers, choice);
  const places = placesOf(choice);
  const purchaser = { ...(name.trim() && { name: name.trim() }), ...(email.trim() && { email: email.trim() }) };
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
              onChange={(places) => setChoice((now) => ({ ...now, [ticket_id]: places }))}
            />
          </li>
        ))}
      </ul>
      <fieldset className="payments">
        <legend>{t('payment')}</legend>
        {PAYMENTS.map((way) => (
          <label key={way} className="payment">
            <input type="radio" name="payment" value={way} checked={payment === way} onChange={() => setPayment(way)} />
            <span>{t(`payment.${way}`)}</span>
          </label>
        ))}
      </fieldset>
      <details>
        <summary>{t('buyer')}</summary>
        <div className="form-row">
          <TextField label={t('name')} value={name} onChange={setName} maxLength={200} />
          <TextField label={t('email')} type="email" value={email} onChange={setEmail} />
        </div>
      </details>
      <FormProblem error={sell.error} fields={[]} />
      <div className="counter-foot">
        <p className="figure" role="status">
          <strong>{money(total)}</strong>
          <span>{t('places', { count: places })}</span>
        </p>
        {places > 0 ? (
          <Button look="primary" type="submit" isPending={sell.isPending}>
            {t('sell_for', { count: places, total: money(total) })}
          </Button>
        ) : (
          <p className="soft">{t('choose_places')}</p>
        )}
      </div>
    </form>
  );
}
