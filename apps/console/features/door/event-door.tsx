import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { DoorStats, Event, Gate } from '../../../../packages/client/src/marquee-client.ts';
import { localIn } from '../../../client/when.ts';
import { useMe } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { hasEventRight, MANAGES_ATTENDEES } from '../../data/rights.ts';
import { money, when } from '../../i18n/formats.ts';
import { EventName, EventScreen, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Failure, RowsLoading } from '../../ui/states.tsx';
import { Clashes } from './clashes.tsx';
import { Devices } from './devices.tsx';
import { DeleteGate, GateDialog } from './gate-dialog.tsx';
import { t } from './routes.ts';
import './door.css';

const route = getRouteApi('/events/$id/door');

/** Milliseconds between two reads of the numbers. */
const EVERY = 10_000;

/** The door of an event, live: numbers, gates, devices, clashes and arrivals. */
export function Screen() {
  const id = Number(route.useParams().id);
  return (
    <EventScreen id={id} title={t('title')}>
      {(event) => <EventDoor event={event} />}
    </EventScreen>
  );
}

function EventDoor({ event }: { event: Event }) {
  const mayManage = hasEventRight(useMe(), MANAGES_ATTENDEES, event);
  const stats = useQuery({
    ...read('GET /admin/v1/door/stats', { event_id: event.id }),
    refetchInterval: EVERY,
  });
  return (
    <Page title={t('title')} note={<EventName event={event.id} />}>
      <EventTabs event={event.id} />
      {stats.error && <Failure error={stats.error} onRetry={() => void stats.refetch()} />}
      {stats.data ? <Numbers stats={stats.data} /> : <RowsLoading rows={2} />}
      {mayManage && <Gates event={event} stats={stats.data} />}
      {mayManage && stats.data && stats.data.clashes.open > 0 && <Clashes event={event} every={EVERY} />}
      {stats.data && stats.data.sales.length > 0 && <Takings stats={stats.data} />}
      {stats.data && stats.data.arrivals.length > 0 && <Arrivals stats={stats.data} timezone={event.timezone} />}
    </Page>
  );
}

function Numbers({ stats: { totals, tickets } }: { stats: DoorStats }) {
  return (
    <section aria-labelledby="door-numbers">
      <h2 id="door-numbers">{t('inside_of', { inside: totals.inside, expected: totals.expected })}</h2>
      {totals.left > 0 && <p className="soft">{t('left', { count: totals.left })}</p>}
      <ul className="door-tickets">
        {tickets.map(({ id, title, inside, expected }) => (
          <li key={id}>
            <span>{title}</span>
            <span>{t('inside_of', { inside, expected })}</span>
            <progress value={inside} max={Math.max(expected, 1)} aria-label={title} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type Act = { act: 'make' } | { act: 'edit' | 'delete'; gate: Gate };

function Gates({ event, stats }: { event: Event; stats: DoorStats | undefined }) {
  const [act, setAct] = useState<Act>();
  const { data, error, refetch } = useQuery(read('GET /admin/v1/door/gates', { event_id: event.id, per_page: 50 }));
  const end = () => setAct(undefined);
  return (
    <section aria-labelledby="gates">
      <div className="section-head">
        <h2 id="gates">{t('gates')}</h2>
        <Button look="primary" icon="plus" onPress={() => setAct({ act: 'make' })}>
          {t('new')}
        </Button>
      </div>
      {!isSecureContext && <p className="notice warn">{t('needs_https')}</p>}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && <Empty text={t('none_here')} icon="check" />}
      <ul className="cards">
        {data?.gates.map((gate) => (
          <li key={gate.id} className="card door-gate">
            <div className="section-head">
              <h3>{gate.name}</h3>
              <div className="door-acts">
                <Button onPress={() => setAct({ act: 'edit', gate })} aria-label={t('edit_of', { name: gate.name })}>
                  {t('edit')}
                </Button>
                <Button
                  onPress={() => setAct({ act: 'delete', gate })}
                  aria-label={t('delete_of', { name: gate.name })}
                >
                  {t('delete')}
                </Button>
              </div>
            </div>
            <GateNumbers gate={gate} stats={stats} />
            <Devices gate={gate} every={EVERY} />
          </li>
        ))}
      </ul>
      {act?.act === 'make' && <GateDialog event={event} gate={undefined} onClose={end} />}
      {act?.act === 'edit' && <GateDialog event={event} gate={act.gate} onClose={end} />}
      {act?.act === 'delete' && <DeleteGate gate={act.gate} onClose={end} />}
    </section>
  );
}

function GateNumbers({ gate, stats }: { gate: Gate; stats: DoorStats | undefined }) {
  const figures = stats?.gates.find(({ id }) => id === gate.id);
  if (!figures) return null;
  const { entries, refused, waiting } = figures;
  return (
    <p className="soft">
      {[
        t('entries', { count: entries }),
        t('refused', { count: refused }),
        ...(waiting > 0 ? [t('to_send', { count: waiting })] : []),
      ].join(' · ')}
    </p>
  );
}

/** Money that devices took, by payment. */
function Takings({ stats: { sales } }: { stats: DoorStats }) {
  return (
    <section aria-labelledby="takings">
      <h2 id="takings">{t('takings')}</h2>
      <table className="door-arrivals">
        <thead>
          <tr>
            <th scope="col">{t('device')}</th>
            <th scope="col">{t('payment')}</th>
            <th scope="col">{t('amount')}</th>
          </tr>
        </thead>
        <tbody>
          {sales.map(({ device_id, device, payment, currency, amount }) => (
            <tr key={`${device_id} ${payment} ${currency}`}>
              <th scope="row">{device}</th>
              <td>{t(`payment.${payment as 'cash' | 'card' | 'free'}`)}</td>
              <td>{money(amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Entries per quarter of an hour, as bars that are also read aloud. */
function Arrivals({ stats: { arrivals }, timezone }: { stats: DoorStats; timezone: string }) {
  const most = Math.max(...arrivals.map(({ entries }) => entries));
  return (
    <section aria-labelledby="arrivals">
      <h2 id="arrivals">{t('arrivals')}</h2>
      <table className="door-arrivals">
        <thead>
          <tr>
            <th scope="col">{t('from')}</th>
            <th scope="col">{t('entered')}</th>
          </tr>
        </thead>
        <tbody>
          {arrivals.map(({ start_utc, entries }) => (
            <tr key={start_utc}>
              <th scope="row">{when.time(localIn(timezone, start_utc))}</th>
              <td>
                <meter min={0} max={most} value={entries} aria-hidden="true" />
                {entries}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
