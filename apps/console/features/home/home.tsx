import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Overview } from '../../../../packages/client/src/marquee-client.ts';
import { useRight } from '../../data/account.ts';
import { ANY_DATE } from '../../data/any-date.ts';
import { read } from '../../data/queries.ts';
import { when, whenNear } from '../../i18n/formats.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { t } from './routes.ts';
import './home.css';

/** Home: today's events, open tasks and recent sales. */
export function Screen() {
  const isPartOf = useRight('read_own', 'read_attendees');
  const mayEdit = useRight('edit');
  const overview = useQuery(read('GET /admin/v1/overview', {}, { isOn: isPartOf }));
  if (!isPartOf)
    return (
      <Page title={t('title')}>
        <Empty icon="lock" text={t('no_part')}>
          <Link to="/account">{t('account')}</Link>
        </Empty>
      </Page>
    );
  return (
    <Page title={t('title')} actions={mayEdit && <NewEvent />}>
      <Loaded query={overview}>{(data) => <Present overview={data} />}</Loaded>
    </Page>
  );
}

function NewEvent() {
  const navigate = useNavigate();
  return (
    <Button look="primary" icon="plus" onPress={() => void navigate({ to: '/events/new' })}>
      {t('new_event')}
    </Button>
  );
}

function Present({ overview: { today, week, tasks, sales } }: { overview: Overview }) {
  const ids = new Set(today.events.map(({ event_id }) => event_id));
  const later = week.events.filter(({ event_id }) => !ids.has(event_id));
  return (
    <div className="home">
      <div>
        {week.count === 0 && <FirstSteps />}
        <Dates id="today" title={t('today')} none={t('today.none')} events={today.events} of={today.count} />
        <Dates id="week" title={t('week')} none={t('week.none')} events={later} of={week.count - today.count} />
      </div>
      <div>
        <section aria-labelledby="tasks">
          <h2 id="tasks">{t('tasks')}</h2>
          <Tasks tasks={tasks} />
        </section>
        {sales && <Sales periods={sales.periods} />}
      </div>
    </div>
  );
}

interface DatesProps {
  id: string;
  title: string;
  none: string;
  events: Overview['today']['events'];
  /** Total number, including tasks that are not listed. */
  of: number;
}

function Dates({ id, title, none, events, of }: DatesProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {events.length === 0 ? (
        <p className="soft">{none}</p>
      ) : (
        <ul className="cards">
          {events.map((event) => (
            <EventLine key={event.event_id} event={event} />
          ))}
        </ul>
      )}
      {of > events.length && events.length > 0 && <p className="soft">{t('more', { count: of - events.length })}</p>}
    </section>
  );
}

function EventLine({ event }: { event: Overview['today']['events'][number] }) {
  const { event_id, title, end_date, all_day, sold, came, capacity } = event;
  const start_date = event.start_date ?? end_date;
  const { span } = start_date.slice(0, 4) === end_date.slice(0, 4) ? whenNear : when;
  return (
    <li className="card">
      <div>
        <Link to="/events/$id" params={{ id: String(event_id) }}>
          {title}
        </Link>
        <p className="soft">{span({ start_date, end_date, all_day })}</p>
      </div>
      {(sold > 0 || capacity >= 0) && (
        <p className="figure">
          <strong>{came > 0 ? came : sold}</strong> <span>{figureOf(event)}</span>
        </p>
      )}
    </li>
  );
}

/** Words after the number of people who have come, or else of the expected ones. */
function figureOf({ sold, came, capacity }: Overview['today']['events'][number]): string {
  if (came > 0) return t('came', { count: came, sold });
  return capacity < 0 ? t('expected', { count: sold }) : t('expected_of', { count: sold, capacity });
}

function Tasks({ tasks }: { tasks: Overview['tasks'] }) {
  const lines = [
    ...listTasks(tasks, ['pending_orders', 'money_owed']),
    ...moneyTasks(tasks),
    ...mailTasks(tasks),
    ...listTasks(tasks, ['reviews', 'drafts_due']),
    ...stockTasks(tasks),
    ...listTasks(tasks, ['images_without_alt']),
    ...refusalTasks(tasks),
  ];
  if (lines.length === 0) return <p className="soft">{t('tasks.none')}</p>;
  return (
    <ul className="cards">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have keys of their own
        <li key={index} className="card">
          {line}
        </li>
      ))}
    </ul>
  );
}

/** Tasks that a list shows. */
const LISTS = {
  pending_orders: { to: '/orders', search: { view: 'open' } },
  money_owed: { to: '/orders', search: { view: 'owed' } },
  reviews: { to: '/events', search: { view: 'drafts' } },
  drafts_due: { to: '/events', search: { view: 'drafts' } },
  images_without_alt: { to: '/media', search: { view: 'without_alt' } },
} as const;

const listTasks = (tasks: Overview['tasks'], names: readonly (keyof typeof LISTS)[]): ReactNode[] =>
  names.flatMap((name) => {
    const count = tasks[name]?.count ?? 0;
    if (count === 0) return [];
    return (
      <Link key={name} {...LISTS[name]}>
        {t(`task.${name}`, { count })}
      </Link>
    );
  });

/** Tickets that are nearly sold out. */
const stockTasks = ({ low_stock }: Overview['tasks']): ReactNode[] =>
  (low_stock?.tickets ?? []).map(({ ticket_id, event_id, title, ticket_title, available }) => (
    <Link key={`stock ${ticket_id}`} to="/events/$id/tickets" params={{ id: String(event_id) }}>
      {t('task.low_stock', { title: [title, ticket_title].filter(Boolean).join(', '), count: available })}
    </Link>
  ));

const refusalTasks = ({ refused_free_places: refused }: Overview['tasks']): ReactNode[] =>
  refused?.count ? [<span key="refused">{t('task.refused_free_places', { count: refused.count })}</span>] : [];

const MONEY_TASKS = ['failed_refunds', 'disputes', 'other_amounts'] as const;
/** Maximum number of orders with a line of their own, per task. */
const MAX_ORDERS = 5;

/** Money that waits for staff. */
function moneyTasks(tasks: Overview['tasks']): ReactNode[] {
  const ofOrders = MONEY_TASKS.flatMap((name) => {
    const { count = 0, orders = [] } = tasks[name] ?? {};
    const shown = orders.slice(0, MAX_ORDERS);
    const lines: ReactNode[] = shown.map(({ id, number }) => (
      <Link key={`${name} ${id}`} to="/orders/$id" params={{ id: String(id) }}>
        {t(`task.${name}`, { number })}
      </Link>
    ));
    const more = count - shown.length;
    return more > 0 ? [...lines, <span key={name}>{t('task.more_orders', { count: more })}</span>] : lines;
  });
  if (!tasks.findings?.count) return ofOrders;
  return [
    ...ofOrders,
    <Link key="findings" to="/orders/findings">
      {t('task.findings', { count: tasks.findings.count })}
    </Link>,
  ];
}

/** Mails that did not arrive. */
function mailTasks({ mails }: Overview['tasks']): ReactNode[] {
  const { held = 0, failed = 0, bounced = 0, has_server = true } = mails ?? {};
  const heldText = has_server ? 'task.held_mails' : 'task.held_without_server';
  return [
    ...(held > 0
      ? [
          <Link key="held" to="/mails" search={{ status: 'held' }}>
            {t(heldText, { count: held })}
          </Link>,
        ]
      : []),
    ...(failed > 0
      ? [
          <Link key="failed" to="/mails" search={{ status: 'failed' }}>
            {t('task.failed_mails', { count: failed })}
          </Link>,
        ]
      : []),
    ...(bounced > 0
      ? [
          <Link key="bounced" to="/mails" search={{ status: 'bounced' }}>
            {t('task.bounced_mails', { count: bounced })}
          </Link>,
        ]
      : []),
  ];
}

type Periods = NonNullable<Overview['sales']>['periods'];

/** A bar a day, with its number. */
function Sales({ periods }: { periods: Periods }) {
  const most = Math.max(...periods.map(({ sold }) => sold.places));
  return (
    <section aria-labelledby="sales">
      <h2 id="sales">{t('sales')}</h2>
      {most === 0 ? (
        <p className="soft">{t('sales.none')}</p>
      ) : (
        <ol className="bars">
          {periods.map(({ start, sold }) => (
            <li key={start}>
              <span>{whenNear.day(start)}</span>
              <span className="bar" aria-hidden="true">
                <span style={{ inlineSize: `${(sold.places / most) * 100}%` }} />
              </span>
              <span>
                <span className="visually-hidden">{t('sales.day', { count: sold.places })}</span>
                <span aria-hidden="true">{sold.places}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
      <p>
        <Link to="/reports">{t('sales.report')}</Link>
      </p>
    </section>
  );
}

/** First steps on a site without events. */
function FirstSteps() {
  const { data } = useQuery(read('GET /events/v1/events', { ...ANY_DATE, per_page: 1 }));
  if (data?.total !== 0) return null;
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">{t('steps')}</h2>
      <ol className="cards">
        <li className="card">
          <Link to="/account">{t('steps.password')}</Link>
          <Icon name="right" />
        </li>
        <li className="card">
          <Link to="/events/new">{t('steps.event')}</Link>
          <Icon name="right" />
        </li>
        <li className="card">
          <a href="/">{t('steps.page')}</a>
          <Icon name="open" />
        </li>
      </ol>
    </section>
  );
}
