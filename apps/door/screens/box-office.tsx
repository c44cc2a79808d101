import { useEffect, useState } from 'preact/hooks';
import { type Answer, ApiError, randomKey } from '../../../packages/client/src/marquee-client.ts';
import type { Sale } from '../list/session.ts';
import type { Shown } from '../scan/scanning.ts';
import { failureOf, type Sold } from '../sync/server.ts';
import { Button, Page, Problem } from './parts.tsx';
import { device, scanning, syncing } from './state.ts';
import { money, t } from './texts.ts';

/** The box office at the door, which needs the server: it sells places, and takes the money of unpaid orders. */

type Offers = Answer<'GET /admin/v1/door/offers'>;
type Takings = Awaited<ReturnType<typeof device.server.takings>>;

/** Payments of a device. Free orders have none. */
const PAYMENTS = ['cash', 'card'] as const;
type Payment = (typeof PAYMENTS)[number] | 'free';

/** Runs sales one after the other: a second tap, or another sale before the response to the first, sells nothing. */
function useSale(onSold: (sold: Sold) => Promise<void> | void) {
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (sale: Sale, sum: number) => {
    const open = device.sale.value;
    if (isPending || (open && open.sale.id !== sale.id)) return;
    setPending(true);
    setProblem(undefined);
    try {
      await onSold(await device.sell({ sale, sum }));
    } catch (error) {
      // A refusal has sold nothing, and names the reason.
      const isRefused = failureOf(error) === 'refused' && error instanceof ApiError;
      setProblem(isRefused ? error.message : t('sale.no_answer'));
    }
    setPending(false);
  };
  const giveUp = () => {
    if (isPending) return;
    setProblem(undefined);
    void device.giveUpSale();
  };
  return { run, giveUp, isPending, problem };
}

/**
 * A sale without a response, perhaps from before a restart. It blocks further sales until its response arrives or it is
 * given up.
 */
function OpenSale({ run, giveUp, isPending, problem }: ReturnType<typeof useSale>) {
  const open = device.sale.value;
  const session = device.session.value;
  if (!open || !session) return null;
  const sum = money(open.sum, session.list.currency);
  return (
    <>
      <Problem text={problem ?? t('sale.open', { sum })} />
      <Button aria-disabled={isPending} onClick={() => void run(open.sale, open.sum)}>
        {t('sale.ask_again')}
      </Button>
      <Button aria-disabled={isPending} onClick={giveUp}>
        {t('sale.give_up')}
      </Button>
    </>
  );
}

/** Takes the amount owed for the order of a guest, and then asks again. */
export function TakePayment({ shown }: { shown: Shown }) {
  const { attendee, owed, again } = shown;
  const sale = useSale(async () => {
    await syncing.once();
    await again?.();
  });
  const session = device.session.value;
  if (!session?.greeting.gate.may_sell || attendee === undefined || owed === 0 || !again) return null;
  if (device.sale.value && !sale.isPending) return <OpenSale {...sale} />;
  const sum = money(owed, session.list.currency);
  return (
    <>
      <Problem text={sale.problem} />
      {PAYMENTS.map((payment) => (
        <Button
          key={payment}
          aria-disabled={sale.isPending}
          onClick={() => void sale.run({ id: randomKey(), attendee, amount: owed, payment }, owed)}
        >
          {t(`take.${payment}`, { sum })}
        </Button>
      ))}
    </>
  );
}

/** Sells places for cash or by a card terminal. */
export function Sell({ onBack }: { onBack: () => void }) {
  const { offers, hasFailed, load } = useOffers();
  const [counts, setCounts] = useState<Readonly<Record<number, number>>>({});
  const [sold, setSold] = useState<Sold>();
  const sale = useSale(async (done) => {
    setSold(done);
    await syncing.once();
  });
  if (sold) return <SoldPlaces sale={sold} onBack={onBack} />;
  if (device.sale.value && !sale.isPending)
    return (
      <Page title={t('sell')} onBack={onBack}>
        <OpenSale {...sale} />
      </Page>
    );
  const chosen = (offers?.tickets ?? []).filter(({ id }) => (counts[id] ?? 0) > 0);
  const total = chosen.reduce((sum, { id, price }) => sum + price * (counts[id] ?? 0), 0);
  const sell = (payment: Payment) => {
    const items = chosen.map(({ id }) => ({ ticket_id: id, quantity: counts[id] ?? 0 }));
    return sale.run({ id: randomKey(), items, payment }, total);
  };
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
      <Problem text={sale.problem} />
      {chosen.length > 0 && offers && (
        <Payments total={total} currency={offers.currency} isPending={sale.isPending} onPay={(by) => void sell(by)} />
      )}
    </Page>
  );
}

/** The tickets on sale here. */
function useOffers() {
  const [offers, setOffers] = useState<Offers>();
  const [hasFailed, setFailed] = useState(false);
  const token = device.session.value?.token ?? '';
  const load = () => {
    setFailed(false);
    device.server.offers(token).then(setOffers, () => setFailed(true));
  };
  useEffect(load, [token]);
  return { offers, hasFailed, load };
}

interface PaymentsProps {
  total: number;
  currency: string;
  isPending: boolean;
  onPay: (payment: Payment) => void;
}

const Payments = ({ total, currency, isPending, onPay }: PaymentsProps) => (
  <>
    <p class="total" role="status">
      {t('sale.total', { sum: money(total, currency) })}
    </p>
    <div class="bar">
      {(total === 0 ? (['free'] as const) : PAYMENTS).map((payment) => (
        <Button look="primary" key={payment} aria-disabled={isPending} onClick={() => onPay(payment)}>
          {t(`pay.${payment}`)}
        </Button>
      ))}
    </div>
  </>
);

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

function SoldPlaces({ sale: { order, amount, attendees }, onBack }: { sale: Sold; onBack: () => void }) {
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
    if (sells) device.server.takings(token).then(setTakings, () => setFailed(true));
  }, [token, sells]);
  if (!sells) return null;
  return (
    <section aria-labelledby="takings">
      <h2 id="takings">{t('takings')}</h2>
      {hasFailed && <p class="problem">{t('sale.offline')}</p>}
      {device.sale.value && <p class="problem">{t('sale.unanswered')}</p>}
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
