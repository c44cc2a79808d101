import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, ApiError, randomKey } from '../../../packages/client/src/marquee-client.ts';
import { Button, Page, Problem } from '../parts.tsx';
import type { Shown } from '../scan/scanning.ts';
import { device, scanning, syncing } from '../state.ts';
import { failureOf } from '../sync/server.ts';
import { money, t } from '../texts.ts';

/** The box office at the door, which needs the server: it sells places, and takes the money of unpaid orders. */

type Offers = Answer<'GET /admin/v1/door/offers'>;
type Sale = Answer<'POST /admin/v1/door/sales'>;
type Takings = Answer<'GET /admin/v1/door/sales'>['device'];

/** Payments of a device. Free orders have none. */
const PAYMENTS = ['cash', 'card'] as const;
type Payment = (typeof PAYMENTS)[number] | 'free';

/** Runs a sale with an id that stays the same until it is answered, so that a second tap sells nothing twice. */
function useSale() {
  const id = useRef(randomKey());
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (sell: (id: string, token: string) => Promise<void>) => {
    const token = device.session.value?.token;
    if (isPending || token === undefined) return;
    setPending(true);
    setProblem(undefined);
    try {
      await sell(id.current, token);
      id.current = randomKey();
    } catch (error) {
      // A refusal has sold nothing, and names the reason.
      if (failureOf(error) === 'refused') id.current = randomKey();
      setProblem(failureOf(error) === 'refused' && error instanceof ApiError ? error.message : t('sale.no_answer'));
    }
    setPending(false);
  };
  return { run, isPending, problem };
}

/** Takes what the order of a guest owes, and then asks again. */
export function TakePayment({ shown }: { shown: Shown }) {
  const { run, isPending, problem } = useSale();
  const { attendee, owed, again } = shown;
  const session = device.session.value;
  if (!session?.greeting.gate.may_sell || attendee === undefined || owed === 0 || !again) return null;
  const take = (payment: 'cash' | 'card') =>
    run(async (id, token) => {
      await device.server.pay(token, { id, attendee, amount: owed, payment });
      await syncing.once();
      await again();
    });
  const sum = money(owed, session.list.currency);
  return (
    <>
      <Problem text={problem} />
      {PAYMENTS.map((payment) => (
        <Button key={payment} aria-disabled={isPending} onClick={() => void take(payment)}>
          {t(`take.${payment}`, { sum })}
        </Button>
      ))}
    </>
  );
}

/** Sells places for cash or by a card terminal. */
export function Sell({ onBack }: { onBack: () => void }) {
  const [offers, setOffers] = useState<Offers>();
  const [hasFailed, setFailed] = useState(false);
  const [counts, setCounts] = useState<Readonly<Record<number, number>>>({});
  const [sold, setSold] = useState<Sale>();
  const { run, isPending, problem } = useSale();
  const token = device.session.value?.token ?? '';
  const load = () => {
    setFailed(false);
    device.server.offers(token).then(setOffers, () => setFailed(true));
  };
  useEffect(load, [token]);
  if (sold) return <Sold sale={sold} onBack={onBack} />;
  const chosen = (offers?.tickets ?? []).filter(({ id }) => (counts[id] ?? 0) > 0);
  const total = chosen.reduce((sum, { id, price }) => sum + price * (counts[id] ?? 0), 0);
  const sell = (payment: Payment) =>
    run(async (id, by) => {
      const items = chosen.map((ticket) => ({ ticket_id: ticket.id, quantity: counts[ticket.id] ?? 0 }));
      setSold(await device.server.sell(by, { id, items, payment }));
      await syncing.once();
    });
  return (
    <Page title={t('sell')} onBack={onBack}>
      {hasFailed && (
        <>
          <p class="problem">{t('sale.offline')}</p>
          <Button onClick={load}>{t('try_again')}</Button>
        </>
      )}
      {offers?.tickets.map((ticket) => (
        <Offer
          key={ticket.id}
          offer={ticket}
          currency={offers.currency}
          count={counts[ticket.id] ?? 0}
          onCount={(count) => setCounts({ ...counts, [ticket.id]: count })}
        />
      ))}
      {offers?.tickets.length === 0 && <p>{t('sale.none')}</p>}
      <Problem text={problem} />
      {chosen.length > 0 && offers && (
        <>
          <p class="total" role="status">
            {t('sale.total', { sum: money(total, offers.currency) })}
          </p>
          <div class="bar">
            {(total === 0 ? (['free'] as const) : PAYMENTS).map((payment) => (
              <Button look="primary" key={payment} aria-disabled={isPending} onClick={() => void sell(payment)}>
                {t(`pay.${payment}`)}
              </Button>
            ))}
          </div>
        </>
      )}
    </Page>
  );
}

interface OfferProps {
  offer: Offers['tickets'][number];
  currency: string;
  count: number;
  onCount: (count: number) => void;
}

function Offer({ offer: { title, price, available }, currency, count, onCount }: OfferProps) {
  const isSoldOut = available !== null && count >= available;
  return (
    <fieldset class="offer" aria-label={title}>
      <p>
        <strong>{title}</strong> <span>{money(price, currency)}</span>
        {available !== null && <span> · {t('sale.left', { count: available })}</span>}
      </p>
      <Button aria-label={t('fewer')} disabled={count === 0} onClick={() => onCount(count - 1)}>
        −
      </Button>
      <output>{count}</output>
      <Button aria-label={t('more')} disabled={isSoldOut} onClick={() => onCount(count + 1)}>
        +
      </Button>
    </fieldset>
  );
}

function Sold({ sale: { order, amount, attendees }, onBack }: { sale: Sale; onBack: () => void }) {
  void device.version.value;
  const rows = attendees.map(({ id }) => device.list.row(id)).filter((row) => row !== undefined);
  const mayAdmit = device.session.value?.greeting.gate.may_search && scanning.mode.value === 'in';
  return (
    <Page title={t('sold')} onBack={onBack}>
      <p role="status">
        {t('sold.text', { count: attendees.length, number: order.number, sum: money(amount, order.currency) })}
      </p>
      {mayAdmit && rows.length > 0 && (
        <Button
          look="primary"
          onClick={() => {
            for (const row of rows) scanning.choose(row);
            onBack();
          }}
        >
          {t('sold.admit', { count: rows.length })}
        </Button>
      )}
      <Button onClick={onBack}>{t('back')}</Button>
    </Page>
  );
}

/** Sum of the shift of this device, by payment. */
export function ShiftSum() {
  const [takings, setTakings] = useState<Takings>();
  const [hasFailed, setFailed] = useState(false);
  const session = device.session.value;
  const token = session?.token ?? '';
  const sells = session?.greeting.gate.may_sell ?? false;
  useEffect(() => {
    if (sells)
      device.server.takings(token).then(
        ({ device: own }) => setTakings(own),
        () => setFailed(true),
      );
  }, [token, sells]);
  if (!sells) return null;
  return (
    <section aria-labelledby="takings">
      <h2 id="takings">{t('takings')}</h2>
      {hasFailed && <p class="problem">{t('sale.offline')}</p>}
      {takings?.length === 0 && <p>{t('takings.none')}</p>}
      <ul>
        {takings?.map(({ payment, currency, sales, amount }) => (
          <li key={payment + currency}>
            {t('takings.of', { payment: t(`pay.${payment as Payment}`), sum: money(amount, currency), count: sales })}
          </li>
        ))}
      </ul>
    </section>
  );
}
