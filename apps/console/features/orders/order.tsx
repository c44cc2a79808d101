import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { orderNumber } from '../../../../src/lib/order-number.ts';
import { call } from '../../../client/call.ts';
import { useRight, useSite } from '../../data/account.ts';
import { queries, read, refresh } from '../../data/queries.ts';
import { MANAGES_ATTENDEES } from '../../data/rights.ts';
import { money, when } from '../../i18n/formats.ts';
import { EventHeading, useEventsOf } from '../../shared/events/event-lines.tsx';
import { MailNotice, MailsOf } from '../../shared/mails/mails-of.tsx';
import { OrderStatus, orderStatus, paymentName } from '../../shared/orders/order-status.tsx';
import { ConflictDialog } from '../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../shared/record/unsaved-bar.tsx';
import { type EditedRecord, type RecordKind, useRecord } from '../../shared/record/use-record.ts';
import { Page, PageLoading } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Failure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Attendees } from './attendees.tsx';
import { Invoices } from './invoices.tsx';
import { Money } from './money.tsx';
import { useUserName } from './order-action.ts';
import { type Line, linesOf } from './order-lines.ts';
import { Preview } from './preview.tsx';
import { t } from './routes.ts';
import { isFinal, type OrderStatusName, statusActions } from './status-actions.ts';
import './orders.css';

/** Editable fields of an order. */
type OrderFields = ReturnType<typeof fieldsOf>;

const fieldsOf = ({ purchaser: { name, email }, billing, note }: FullOrder) => ({ name, email, ...billing, note });

const orderQuery = (id: number) => read('GET /admin/v1/orders/{id}', { id });

/** Form of an order's customer and note. */
const orderKind: RecordKind<FullOrder, OrderFields> = {
  path: '/admin/v1/orders',
  read: orderQuery,
  write(id, { name, email, note, ...billing }, options) {
    const purchaser = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
    // The interface replaces them together.
    const present = queries.getQueryData(orderQuery(id).queryKey)?.billing;
    const change = {
      ...(Object.keys(billing).length > 0 && { billing: { ...present, ...billing } }),
      ...(Object.keys(purchaser).length > 0 && { purchaser }),
      ...(note !== undefined && { note }),
    };
    return call('PATCH /admin/v1/orders/{id}', { id, ...change }, options);
  },
  fieldsOf,
  isDraft: () => false,
};

const route = getRouteApi('/orders/$id');

/** One order with its actions. */
export function Screen() {
  const id = Number(route.useParams().id);
  const { data, error, retry } = useRecord(orderKind, id);
  if (error)
    return (
      <Page title={t('order')}>
        <Failure error={error} onRetry={retry} />
      </Page>
    );
  if (!data) return <PageLoading />;
  return <OrderPage key={id} edited={data} />;
}

const labelOf = (name: string): string => t(`field.${name as keyof OrderFields}`);

function OrderPage({ edited }: { edited: EditedRecord<FullOrder, OrderFields> }) {
  const { record } = edited;
  const mayManage = useRight(...MANAGES_ATTENDEES);
  return (
    <Page
      title={t('order.title', { number: orderNumber(record.id) })}
      note={<Link to="/orders">{t('all')}</Link>}
      actions={
        record.url && (
          <a className="button" href={record.url} target="_blank" rel="noreferrer">
            <Icon name="open" />
            {t('page')}
          </a>
        )
      }
    >
      <MailNotice order={record.id} />
      <div className="editor">
        <div>
          <Items order={record} />
          <Money order={record} />
          <Invoices order={record} />
          <MailsOf order={record.id} />
          <Attendees order={record} />
          <section className="form-section" aria-labelledby="purchaser">
            <h2 id="purchaser">{t('buyer')}</h2>
            {mayManage ? <CustomerFields edited={edited} /> : <Customer order={record} />}
          </section>
        </div>
        <div>
          <State order={record} />
          <Log order={record} />
        </div>
      </div>
      <UnsavedBar edited={edited} />
      <ConflictDialog edited={edited} labelOf={labelOf} />
    </Page>
  );
}

/** Name, address and billing data of the customer, and the note. */
function CustomerFields({ edited }: { edited: EditedRecord<FullOrder, OrderFields> }) {
  const { record, field, problem } = edited;
  const email = field('email');
  const { invoices: hasInvoices } = useSite();
  return (
    <>
      <div className="form-row">
        <TextField label={labelOf('name')} {...field('name')} />
        <TextField
          label={labelOf('email')}
          type="email"
          {...email}
          problem={email.problem ?? problem?.fields.purchaser}
        />
      </div>
      {(hasInvoices || record.billing.company !== '') && <Billing edited={edited} />}
      <TextField label={labelOf('note')} {...field('note')} rows={3} hint={t('note.hint')} />
    </>
  );
}

/** Company for invoices. */
function Billing({ edited: { field, problem } }: { edited: EditedRecord<FullOrder, OrderFields> }) {
  const company = field('company');
  return (
    <>
      <div className="form-row">
        <TextField
          label={labelOf('company')}
          maxLength={200}
          {...company}
          problem={company.problem ?? problem?.fields.billing}
        />
        <TextField label={labelOf('vat_number')} maxLength={50} {...field('vat_number')} />
      </div>
      <TextField label={labelOf('address')} rows={3} maxLength={500} hint={t('billing.hint')} {...field('address')} />
    </>
  );
}

/** Customer of an order, for users who may not change it. */
function Customer({ order: { purchaser, note } }: { order: FullOrder }) {
  return (
    <dl className="order-facts">
      <dt>{labelOf('name')}</dt>
      <dd>{purchaser.name}</dd>
      {purchaser.email && (
        <>
          <dt>{labelOf('email')}</dt>
          <dd>{purchaser.email}</dd>
        </>
      )}
      {note && (
        <>
          <dt>{labelOf('note')}</dt>
          <dd>{note}</dd>
        </>
      )}
    </dl>
  );
}

function Items({ order: { items, total, currency } }: { order: FullOrder }) {
  const lines = linesOf(items);
  const ids = [...new Set(lines.map(({ event_id }) => event_id))];
  const events = useEventsOf(ids);
  return (
    <section className="form-section" aria-labelledby="items">
      <h2 id="items">{t('items')}</h2>
      {ids.map((id) => (
        <div key={id}>
          {events && <EventHeading event={events.get(id)} />}
          {lines
            .filter(({ event_id }) => event_id === id)
            .map((item) => (
              <Item key={`${item.ticket_id} ${item.price.minor}`} item={item} currency={currency} />
            ))}
        </div>
      ))}
      <div className="order-line order-total">
        <span>{t('total')}</span>
        <span>{money(total.minor, currency)}</span>
      </div>
    </section>
  );
}

function Item({ item, currency }: { item: Line; currency: string }) {
  const { title, quantity, cancelled = 0, price, subtotal, dates } = item;
  return (
    <div className="order-line">
      <span>{t('item', { quantity, title })}</span>
      <span>{money(subtotal.minor, currency)}</span>
      <span className="soft">
        {[
          ...(dates > 0 ? [t('pass.dates', { count: dates })] : []),
          ...(quantity > 1 ? [t('each', { price: money(price.minor, currency) })] : []),
          ...(cancelled > 0 ? [t('cancelled.count', { count: cancelled })] : []),
        ].join(' · ')}
      </span>
    </div>
  );
}

/** Status of the order, with buttons for the next ones. */
function State({ order }: { order: FullOrder }) {
  const [chosen, setChosen] = useState<OrderStatusName>();
  const { payment_ways: ways } = useSite();
  const { usual, others } = statusActions(order);
  const choose = (status: OrderStatusName, look?: 'primary') => (
    <Button key={status} {...(look && { look })} onPress={() => setChosen(status)}>
      {t(`act.${status}`)}
    </Button>
  );
  return (
    <section className="form-section" aria-labelledby="state">
      <h2 id="state">{t('state')}</h2>
      <p>
        <OrderStatus status={order.status} />
      </p>
      <dl className="order-facts">
        <dt>{t('placed')}</dt>
        <dd>{when.moment(order.date)}</dd>
        <dt>{t('gateway')}</dt>
        <dd>{paymentName(order.gateway, ways)}</dd>
        {order.expires_utc && (
          <>
            <dt>{t('expires')}</dt>
            <dd>{when.ago(order.expires_utc)}</dd>
          </>
        )}
      </dl>
      <div className="acts">
        {usual.map((status, index) => choose(status, index === 0 && status === 'completed' ? 'primary' : undefined))}
        {others.length > 0 && (
          <details>
            <summary>{t('acts.more')}</summary>
            <div>{others.map((status) => choose(status))}</div>
          </details>
        )}
        {order.next.length === 0 && order.owed.minor <= 0 && <p className="soft">{t('acts.none')}</p>}
      </div>
      {chosen && <NextStatus order={order} status={chosen} onClose={() => setChosen(undefined)} />}
    </section>
  );
}

interface NextStatusProps {
  order: FullOrder;
  status: OrderStatusName;
  onClose: () => void;
}

/** Previews the next status. */
function NextStatus({ order, status, onClose }: NextStatusProps) {
  const { id, status: former } = order;
  const mayUndo = useRight(...MANAGES_ATTENDEES) && !isFinal(status) && former !== 'created';
  // The interface has every status but `created`, which is never a next status.
  const to = status as Exclude<OrderStatusName, 'created'>;
  const done = () => {
    onClose();
    const undo = async () => {
      await call('PATCH /admin/v1/orders/{id}', { id, status: former as typeof to });
      await refresh('/admin/v1/');
    };
    toast(t('status.changed', { status: orderStatus(status) }), mayUndo ? { undo } : {});
  };
  return (
    <Preview
      order={order}
      title={t('preview.title', { act: t(`act.${status}`), number: orderNumber(id) })}
      verb={t(`act.${status}`)}
      name={status}
      isFinal={isFinal(status)}
      act={({ dry_run, revision }) => call('PATCH /admin/v1/orders/{id}', { id, status: to, dry_run }, { revision })}
      onDone={done}
      onClose={onClose}
    />
  );
}

/** Log of the order, latest first. */
function Log({ order }: { order: FullOrder }) {
  const nameOf = useUserName();
  const steps = [...order.log].reverse();
  return (
    <section className="form-section" aria-labelledby="log">
      <h2 id="log">{t('log')}</h2>
      <ol className="order-log">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added, and have no other name
          <li key={steps.length - index}>
            <p>{sayStep(step)}</p>
            {step.details?.reason && <p>{step.details.reason}</p>}
            <p className="soft">
              {when.ago(step.date_utc)} · {placeOf(step) ?? nameOf(step.user_id)}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Gate and device of a sale at the door. */
function placeOf({ details }: FullOrder['log'][number]): string | undefined {
  return details?.gate === undefined ? undefined : `${details.gate}, ${details.device}`;
}

function sayStep({ action, details, to }: FullOrder['log'][number]): string {
  if (!action) return orderStatus(to);
  return t(`log.${action}`, { count: details?.attendees?.length ?? 0 });
}
